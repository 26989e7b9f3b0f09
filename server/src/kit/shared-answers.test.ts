import { expect, test } from 'vitest'
import { createSharedAnswers } from './shared-answers.ts'

function answers() {
  const state = { revision: 'one', now: 0, made: 0 }
  const db = { revision: async () => state.revision }
  const shared = createSharedAnswers({ db, clock: () => state.now })
  const makeNext = async () => Buffer.from(`made ${++state.made}`)
  const ask = (question = 'a page', make: () => Promise<Buffer> = makeNext) => shared.get(question, make).then(String)
  return { state, ask }
}

test('an answer is made once while nothing changes, and anew after every change', async () => {
  const { state, ask } = answers()
  expect([await ask(), await ask()]).toEqual(['made 1', 'made 1'])
  state.revision = 'two'
  expect([await ask(), await ask()]).toEqual(['made 2', 'made 2'])
})

test('many who ask at once share one answer, unless something changed in between', async () => {
  const { state, ask } = answers()
  const slow = Promise.withResolvers<Buffer>()
  const early = ask('a page', () => slow.promise)
  const beside = ask('a page')
  await expect.poll(() => state.made).toBe(0)
  state.revision = 'two'
  expect(await ask()).toBe('made 1')
  slow.resolve(Buffer.from('the slow one'))
  expect([await early, await beside]).toEqual(['the slow one', 'the slow one'])
  // What was made for the state before must not come back.
  expect(await ask()).toBe('made 1')
})

test('each question has an answer of its own', async () => {
  const { ask } = answers()
  expect([await ask('a page'), await ask('another'), await ask('a page')]).toEqual(['made 1', 'made 2', 'made 1'])
})

test('an answer is not kept for longer than its addresses last', async () => {
  const { state, ask } = answers()
  await ask()
  state.now = 59_999
  expect(await ask()).toBe('made 1')
  state.now = 60_000
  expect(await ask()).toBe('made 2')
})

test('a failure is told to those who asked, and to nobody later', async () => {
  const { ask } = answers()
  const failing = () => Promise.reject(new Error('away'))
  await expect(ask('a page', failing)).rejects.toThrow('away')
  expect(await ask()).toBe('made 1')
})

test('neither a large answer nor more than a few are kept', async () => {
  const { state, ask } = answers()
  const large = async () => Buffer.alloc(512 * 1024 + 1, String(++state.made))
  await ask('all of it', large)
  await ask('all of it', large)
  expect(state.made).toBe(2)
  for (let i = 0; i < 16; i++) await ask(`page ${i}`)
  expect(await ask('page 0')).toBe('made 3')
  await ask('page 16')
  expect(await ask('page 0')).toBe('made 20')
})
