import { beforeEach, expect, test, vi } from 'vitest'
import { sendMessage } from '#contract/chat.ts'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { heartFile, unheartFile, unheartFiles } from '#contract/hearts.ts'
import { addNote } from '#contract/notes.ts'
import type { StoredCall } from '../device-store.ts'
import { lanesOf, newCall, readCall, replaces } from './calls.ts'
import { type Failure, Outbox } from './outbox.ts'
import type { Outcome } from './outcome.ts'

/** What the device keeps, for all of its tabs, with the lock between them. */
class Device {
  readonly calls = new Map<number, StoredCall>()
  isFull = false
  #seq = 0
  #last: Promise<void> = Promise.resolve()
  readonly tabs: Outbox[] = []

  readonly store = {
    read: async () => [...this.calls.values()],
    put: async (call: StoredCall) => {
      if (this.isFull) throw new Error('The device is full')
      const seq = ++this.#seq
      this.calls.set(seq, { ...call, seq })
      return seq
    },
    delete: async (seq: number) => void this.calls.delete(seq),
  }

  readonly exclusively = (act: () => Promise<void>): Promise<void> => {
    this.#last = this.#last.then(act)
    return this.#last
  }
}

class Refused extends Error {}
class Broken extends Error {}
class SignedOut extends Error {}

/** A server that recognises what is sent twice, and a connection that can fail before or after it received a call. */
class Line {
  readonly arrived: StoredCall[] = []
  cut: 'no' | 'on the way there' | 'on the way back' = 'no'
  /** What the server answers to calls with these words. */
  readonly answers = new Map<string, Error>()
  reachable = true
  sending = 0
  mostAtOnce = 0

  readonly send = async (call: StoredCall): Promise<unknown> => {
    this.sending++
    this.mostAtOnce = Math.max(this.mostAtOnce, this.sending)
    try {
      await new Promise(resolve => setTimeout(resolve, 1))
      if (this.cut === 'on the way there') throw new Error('No line')
      for (const [words, error] of this.answers) if (JSON.stringify(call).includes(words)) throw error
      if (!this.arrived.some(({ id }) => id === call.id)) this.arrived.push(call)
      if (this.cut === 'on the way back') throw new Error('No line')
      return { id: this.arrived.findIndex(({ id }) => id === call.id) + 1 }
    } finally {
      this.sending--
    }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof Refused) return 'refused'
  if (error instanceof SignedOut) return 'signed-out'
  return error instanceof Broken ? 'server' : 'later'
}

let ids = 0
let wakeUp: (() => void)[] = []

beforeEach(() => {
  wakeUp = []
})

async function openTab(line: Line, device = new Device(), person = 1) {
  const outbox = new Outbox({
    store: device.store,
    exclusively: device.exclusively,
    send: line.send,
    failureOf,
    isReachable: () => line.reachable,
    lanesOf,
    replaces,
    wait: () => new Promise(resolve => wakeUp.push(resolve)),
    tellTabs: removal => {
      for (const tab of device.tabs) if (tab !== outbox) void tab.onStoreChange(removal)
    },
    logFailure() {},
  })
  device.tabs.push(outbox)
  const said: string[] = []
  outbox.observe({
    onSent: (call, _, waited) => waited && said.push(`sent ${wordsOf(call)}`),
    onRefused: (call, _, waited) => waited && said.push(`refused ${wordsOf(call)}`),
  })
  await outbox.open(person)
  function add<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Outcome> {
    const id = `key-of-call-${++ids}`
    return outbox.add(newCall(endpoint, input, null, id), id).settled
  }
  return {
    outbox,
    said,
    device,
    note: (content: string, id = 5) => add(addNote, { params: { id }, body: { content } }),
    say: (content: string, id = 7) => add(sendMessage, { params: { id }, body: { content } }),
    unheartAll: (...fileIds: number[]) => add(unheartFiles, { body: { fileIds } }),
    heart: (id: number, hearted: boolean) => add(hearted ? heartFile : unheartFile, { params: { id } }),
    states: () => outbox.all().map(call => [wordsOf(call), call.state]),
  }
}

function wordsOf(call: StoredCall): string {
  const waiting = readCall(call)
  if (waiting === undefined) return '?'
  return 'content' in waiting ? waiting.content : `${waiting.kind} ${'files' in waiting ? waiting.files.join() : ''}`
}

const arrivedAt = (line: Line) => line.arrived.map(wordsOf)
const statusOf = async (outcome: Promise<Outcome>) => (await outcome).status

test('what the person does is stored until the server has confirmed it', async () => {
  const line = new Line()
  const tab = await openTab(line)
  const sending = tab.note('Hello')
  expect(tab.states()).toEqual([['Hello', 'sending']])
  await vi.waitFor(() => expect(tab.device.calls.size).toBe(1))
  expect(await sending).toEqual({ status: 'sent', answer: { id: 1 } })
  await vi.waitFor(() => expect(tab.device.calls.size).toBe(0))
  expect(tab.states()).toEqual([])
  // Who waits for the outcome says so; nobody else does.
  expect(tab.said).toEqual([])
})

test('everything goes out in the order in which it was done', async () => {
  const line = new Line()
  line.reachable = false
  const tab = await openTab(line)
  const outcomes = [tab.note('one'), tab.say('two'), tab.heart(5, true), tab.note('three', 6)]
  expect(await Promise.all(outcomes.map(statusOf))).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
  line.reachable = true
  tab.outbox.wake()
  await vi.waitFor(() => expect(tab.states()).toEqual([]))
  expect(arrivedAt(line)).toEqual(['one', 'two', 'heart 5', 'three'])
  expect(line.mostAtOnce).toBe(1)
  expect(tab.said).toEqual(['sent one', 'sent two', 'sent heart 5', 'sent three'])
})

test.each(['on the way there', 'on the way back'] as const)(
  'a connection lost %s neither loses nor doubles anything',
  async cut => {
    const line = new Line()
    const tab = await openTab(line)
    line.cut = cut
    expect(await Promise.all([statusOf(tab.note('one')), statusOf(tab.say('two'))])).toEqual(['waiting', 'waiting'])
    expect(tab.states()).toEqual([
      ['one', 'waiting'],
      ['two', 'waiting'],
    ])
    // After its delay it tries again by itself.
    await vi.waitFor(() => expect(wakeUp.length).toBeGreaterThan(0))
    line.cut = 'no'
    for (const wake of wakeUp) wake()
    await vi.waitFor(() => expect(tab.states()).toEqual([]))
    expect(arrivedAt(line)).toEqual(['one', 'two'])
  },
)

test('a call has the same key for every attempt, which the server gets', async () => {
  const line = new Line()
  const tab = await openTab(line)
  line.cut = 'on the way back'
  await tab.note('Hello')
  line.cut = 'no'
  tab.outbox.wake()
  await vi.waitFor(() => expect(tab.states()).toEqual([]))
  const [arrived] = line.arrived
  expect(arrived?.input).toMatchObject({ body: { content: 'Hello', client_id: arrived?.id } })
})

test('a page that is killed while it sends leaves everything to the next one', async () => {
  const line = new Line()
  line.cut = 'on the way back'
  const before = await openTab(line)
  await before.note('Hello')
  before.outbox.close()
  before.device.tabs.length = 0
  line.cut = 'no'
  const after = await openTab(line, before.device)
  await vi.waitFor(() => expect(after.said).toEqual(['sent Hello']))
  expect(arrivedAt(line)).toEqual(['Hello'])
  expect(after.device.calls.size).toBe(0)
})

test('one tab sends at a time, and the others follow what waits', async () => {
  const line = new Line()
  line.reachable = false
  const first = await openTab(line)
  const second = await openTab(line, first.device)
  await first.note('one')
  await second.note('two')
  await vi.waitFor(() => expect([first.states().length, second.states().length]).toEqual([2, 2]))
  line.reachable = true
  first.outbox.wake()
  second.outbox.wake()
  await vi.waitFor(() => expect([first.states(), second.states()]).toEqual([[], []]))
  expect(arrivedAt(line)).toEqual(['one', 'two'])
  expect(line.mostAtOnce).toBe(1)
})

test('a tab learns what became of a call that another tab has sent', async () => {
  const line = new Line()
  line.answers.set('gone', new Refused('The file was deleted'))
  const first = await openTab(line)
  const second = await openTab(line, first.device)
  await first.device.exclusively(async () => {})
  let release = () => {}
  void first.device.exclusively(() => new Promise(resolve => (release = resolve)))
  // It gets the lock first, and finds what the other one stores.
  second.outbox.wake()
  const outcomes = [first.note('gone'), first.note('welcome')]
  await vi.waitFor(() => expect(first.device.calls.size).toBe(2))
  release()
  expect(await Promise.all(outcomes)).toEqual([
    { status: 'refused', error: new Error('The file was deleted') },
    { status: 'sent', answer: undefined },
  ])
  expect(second.said).toEqual(['refused gone', 'sent welcome'])
  await vi.waitFor(() => expect([first.states(), second.states()]).toEqual([[], []]))
})

test('a refusal is also said in the tab that made the call, although another one has sent it', async () => {
  const line = new Line()
  line.answers.set('gone', new Refused('The file was deleted'))
  line.reachable = false
  const first = await openTab(line)
  const second = await openTab(line, first.device)
  expect(await statusOf(first.note('gone'))).toBe('waiting')
  await vi.waitFor(() => expect(second.states().length).toBe(1))
  line.reachable = true
  second.outbox.wake()
  await vi.waitFor(() => expect([first.said, second.said]).toEqual([['refused gone'], ['refused gone']]))
})

test('a call that disappears without a word of its outcome does not count as sent', async () => {
  const line = new Line()
  const tab = await openTab(line)
  await tab.device.exclusively(async () => {})
  void tab.device.exclusively(() => new Promise(() => {}))
  const outcome = tab.note('taken')
  await vi.waitFor(() => expect(tab.device.calls.size).toBe(1))
  tab.device.calls.clear()
  await tab.outbox.onStoreChange()
  expect(await outcome).toEqual({ status: 'elsewhere' })
})

test('what the server refuses is said and dropped, and does not hold up what follows', async () => {
  const line = new Line()
  line.answers.set('gone', new Refused('The file was deleted'))
  const tab = await openTab(line)
  // At once: it is said to the one who did it.
  expect(await tab.note('gone')).toMatchObject({ status: 'refused', error: { message: 'The file was deleted' } })
  expect(tab.said).toEqual([])
  // Later: the page says it.
  line.reachable = false
  await Promise.all([tab.note('gone too'), tab.say('still there')])
  line.reachable = true
  tab.outbox.wake()
  await vi.waitFor(() => expect(tab.said).toEqual(['refused gone too', 'sent still there']))
  expect(tab.states()).toEqual([])
  expect(tab.device.calls.size).toBe(0)
})

test('an error of the server holds up only what concerns the same thing', async () => {
  const line = new Line()
  line.answers.set('unlucky', new Broken('500'))
  const tab = await openTab(line)
  const outcomes = [tab.note('unlucky', 5), tab.note('after it', 5), tab.note('elsewhere', 6)]
  expect(await statusOf(outcomes[0] as Promise<Outcome>)).toBe('waiting')
  await vi.waitFor(() => expect(arrivedAt(line)).toEqual(['elsewhere']))
  line.answers.clear()
  tab.outbox.wake()
  await vi.waitFor(() => expect(arrivedAt(line)).toEqual(['elsewhere', 'unlucky', 'after it']))
})

test('a call of several files follows what failed for one of them, and holds up what follows for the others', async () => {
  const line = new Line()
  line.answers.set('"id":5', new Broken('500'))
  const tab = await openTab(line)
  const outcomes = [tab.heart(5, true), tab.unheartAll(5, 6), tab.heart(6, true), tab.heart(7, true)]
  expect(await Promise.all(outcomes.map(statusOf))).toEqual(['waiting', 'waiting', 'waiting', 'sent'])
  expect(arrivedAt(line)).toEqual(['heart 7'])
  expect(tab.states()).toHaveLength(3)
  line.answers.clear()
  tab.outbox.wake()
  await vi.waitFor(() => expect(arrivedAt(line)).toEqual(['heart 7', 'heart 5', 'unheart 5,6', 'heart 6']))
})

test('of several taps on one heart the last one is sent', async () => {
  const line = new Line()
  line.reachable = false
  const tab = await openTab(line)
  await tab.heart(5, true)
  await tab.heart(6, true)
  await tab.heart(5, false)
  await vi.waitFor(() => expect(tab.device.calls.size).toBe(2))
  line.reachable = true
  tab.outbox.wake()
  await vi.waitFor(() => expect(arrivedAt(line)).toEqual(['heart 6', 'unheart 5']))
})

test('a session that ends keeps what waits for the same person, and nobody else sends it', async () => {
  const line = new Line()
  line.answers.set('mine', new SignedOut())
  const tab = await openTab(line)
  expect(await statusOf(tab.note('mine'))).toBe('waiting')
  tab.outbox.close()
  expect(tab.states()).toEqual([])
  line.answers.clear()
  await tab.outbox.open(2)
  tab.outbox.wake()
  await tab.note('of somebody else')
  expect(arrivedAt(line)).toEqual(['of somebody else'])
  await tab.outbox.open(1)
  await vi.waitFor(() => expect(arrivedAt(line)).toEqual(['of somebody else', 'mine']))
})

test('what is discarded is not sent', async () => {
  const line = new Line()
  line.reachable = false
  const tab = await openTab(line)
  await tab.note('a mistake')
  await tab.outbox.discard(tab.outbox.all()[0]?.id ?? '')
  expect([tab.states().length, tab.device.calls.size]).toEqual([0, 0])
  line.reachable = true
  tab.outbox.wake()
  await tab.note('meant')
  expect(arrivedAt(line)).toEqual(['meant'])
})

test('without space on the device it is sent while the page is open', async () => {
  const line = new Line()
  line.reachable = false
  const tab = await openTab(line)
  tab.device.isFull = true
  expect(await statusOf(tab.note('in memory'))).toBe('waiting')
  await vi.waitFor(() => expect(tab.states()).toEqual([['in memory', 'waiting']]))
  line.reachable = true
  tab.outbox.wake()
  await vi.waitFor(() => expect(arrivedAt(line)).toEqual(['in memory']))
  expect(tab.states()).toEqual([])
})

test('what another version has stored and this one cannot read is left out of what is shown', () => {
  expect(readCall({ call: 'POST /api/unknown', input: {}, shown: null })).toBeUndefined()
  expect(readCall({ call: 'POST /api/notes/media/:id', input: { params: { id: 5 } }, shown: null })).toBeUndefined()
})
