import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { endpoints as listed } from '#contract/index.ts'
import { contractEndpoints, routeOf } from './contract-endpoints.ts'

test('the index of the contract lists every endpoint that its files export', async () => {
  const endpoints = await contractEndpoints()
  expect(endpoints.length).toBeGreaterThan(50)
  expect(listed.map(routeOf).toSorted()).toEqual(endpoints.map(routeOf).toSorted())
})

test('changes of many files by one person are made one after the other', () => {
  const changesMany = ({ method, body, act }: (typeof listed)[number]) =>
    method !== 'GET' && act !== 'media.see' && body instanceof z.ZodObject && 'fileIds' in body.shape
  const many = listed.filter(changesMany)
  expect(many.length).toBeGreaterThan(10)
  expect(many.filter(({ serializedPerPerson }) => !serializedPerPerson).map(routeOf)).toEqual([])
})

/** Each reads many rows, or a whole file. */
const costly = [
  'GET /api/media/deleted',
  'GET /api/media/deleted/ids',
  'PATCH /api/media/:id/hash',
  'GET /api/messages/:id',
  'GET /api/admin/overview',
  'GET /api/admin/stats',
  'GET /api/admin/activity',
  'GET /api/admin/failed-files',
  'POST /api/admin/failed-files/retry',
]

test('calls of one person that take long in a large library are answered one after the other', () => {
  const serialized = new Set(listed.filter(endpoint => endpoint.serializedPerPerson).map(routeOf))
  expect(costly.filter(route => !serialized.has(route))).toEqual([])
})

test('an endpoint is found in a folder of the contract, within other values, and as a default export', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-contract-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'albums', 'shared'), { recursive: true })
  const source = new URL('../../../contract/src/endpoint.ts', import.meta.url).href
  const made = (path: string) => `endpoint({ method: 'GET', path: '${path}', summary: 'x', act: 'anyone' })`
  const module = (code: string) => `import { endpoint } from '${source}'\n${code}`
  writeFileSync(join(folder, 'plain.ts'), module(`export const plain = ${made('/plain')}`))
  writeFileSync(
    join(folder, 'albums', 'shared', 'nested.ts'),
    module(`export const calls = { see: ${made('/see')}, others: [${made('/listed')}], byName: new Map([['a', ${made('/map')}]]) }
      export default ${made('/default')}`),
  )
  writeFileSync(join(folder, 'plain.test.ts'), 'throw new Error("A test is no part of the contract")')
  const routes = (await contractEndpoints(folder)).map(routeOf).toSorted()
  expect(routes).toEqual(['GET /default', 'GET /listed', 'GET /map', 'GET /plain', 'GET /see'])
})
