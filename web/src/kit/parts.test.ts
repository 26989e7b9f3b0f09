import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Answer, CallInput } from '#contract/endpoint.ts'
import { bulkDelete } from '#contract/media.ts'
import { callInParts, partsOf, stoppedInWords } from './parts.ts'
import { texts } from './texts.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const input: CallInput<typeof bulkDelete> = { body: { fileIds: [1, 2, 3, 4, 5] } }
const inTwos = { key: 'fileIds', size: 2 } as const
const merge = (a: Answer<typeof bulkDelete>, b: Answer<typeof bulkDelete>): Answer<typeof bulkDelete> => ({
  deleted: a.deleted + b.deleted,
  fileIds: [...a.fileIds, ...b.fileIds],
  change_id: null,
})
const parts = partsOf<typeof bulkDelete>(inTwos, merge)
const withUndoOfAll = partsOf<typeof bulkDelete>(inTwos, merge, {
  ifAllChanged: fileIds => ({ deleted: fileIds.length, fileIds, change_id: null }),
})

/** Answers the calls one after the other; `undefined`: everything named was deleted. */
function serve(...responses: (Response | Error | undefined)[]): number[][] {
  const asked: number[][] = []
  vi.stubGlobal('fetch', async (address: string, request: RequestInit) => {
    if (!address.startsWith('/api/')) return Response.json({})
    const { fileIds } = JSON.parse(String(request.body)) as { fileIds: number[] }
    const response = responses[asked.push(fileIds) - 1]
    if (response instanceof Error) throw response
    return response ?? Response.json({ deleted: fileIds.length, fileIds })
  })
  return asked
}

test('a change of many files is several calls, one after the other, and one answer', async () => {
  const asked = serve()
  const progress: string[] = []
  const onProgress = (done: number, total: number) => progress.push(texts.doing({ done, total }))
  expect(await callInParts(bulkDelete, input, parts, onProgress)).toEqual({
    answer: { deleted: 5, fileIds: [1, 2, 3, 4, 5], change_id: null },
  })
  expect(asked).toEqual([[1, 2], [3, 4], [5]])
  expect(progress).toEqual(['0 of 5 done', '2 of 5 done', '4 of 5 done'])
})

test('a later call names what the first one answered', async () => {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, request: RequestInit) => {
    bodies.push(JSON.parse(String(request.body)))
    return Response.json({ deleted: 1, fileIds: [bodies.length] })
  })
  const continuing = ({ fileIds }: { fileIds: number[] }) => ({ continues: fileIds[0] })
  await callInParts(bulkDelete, input, partsOf<typeof bulkDelete>(inTwos, merge, { continuing }))
  expect(bodies).toEqual([{ fileIds: [1, 2] }, { fileIds: [3, 4], continues: 1 }, { fileIds: [5], continues: 1 }])
})

test('a refused call ends it: what was done before stays, and no more is sent', async () => {
  const refusal = Response.json({ error: 'Not now.', code: 'unavailable' }, { status: 503 })
  const asked = serve(undefined, refusal)
  const { answer, stopped } = await callInParts(bulkDelete, input, withUndoOfAll)
  expect(answer).toMatchObject({ deleted: 2, fileIds: [1, 2] })
  expect(stopped).toMatchObject({ done: 2, unknown: 0, total: 5, ifDone: undefined, error: { message: 'Not now.' } })
  expect(asked).toEqual([
    [1, 2],
    [3, 4],
  ])
})

test('without any answer the first call is an ordinary failure', async () => {
  serve(new TypeError('no network'))
  await expect(callInParts(bulkDelete, input, withUndoOfAll)).rejects.toMatchObject({ status: 0 })
})

test.each([
  ['a broken connection', new TypeError('no network')],
  ['a proxy that lost its server', new Response('Bad gateway', { status: 502 })],
  ['an answer that was cut off', new Response('{"deleted":', { status: 200 })],
])('after %s the files of that call may be changed, and Undo includes them where it can', async (_, response) => {
  serve(undefined, response)
  const { answer, stopped } = await callInParts(bulkDelete, input, withUndoOfAll)
  expect(answer.fileIds).toEqual([1, 2])
  expect(stopped).toMatchObject({ done: 2, unknown: 2, total: 5, ifDone: { deleted: 2, fileIds: [3, 4] } })
  expect(stopped && stoppedInWords(stopped)).toBe('2 of 5 are done. Whether the next 2 are done is not known.')

  serve(undefined, new TypeError('no network'))
  const { stopped: without } = await callInParts(bulkDelete, input, parts)
  expect(without?.ifDone).toBeUndefined()
  expect(without && stoppedInWords(without)).toBe(
    '2 of 5 are done. Whether the next 2 are done is not known: Undo leaves them as they are.',
  )
})
