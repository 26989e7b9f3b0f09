import { useSyncExternalStore } from 'react'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { ApiError, call } from '../api.ts'
import { deleteFromOutbox, putInOutbox, readOutbox, type StoredCall } from '../device-store.ts'
import { logError } from '../log.ts'
import { isReachable, unreachable, waitOrWakeUp } from '../reachability.ts'
import { readSessionPerson } from '../token.ts'
import { endpointOf, lanesOf, newCall, readCall, replaces, type Waiting } from './calls.ts'
import { type Failure, Outbox, type WaitingCall } from './outbox.ts'
import type { Removal } from './outcome.ts'

const NAME = 'heirloom-outbox'

/** Some test environments and old browsers have none. */
const channel = globalThis.BroadcastChannel === undefined ? undefined : new BroadcastChannel(NAME)

/** After this time a call counts as not sent. It may have arrived, so it is sent again under the same id. */
const SEND_TIMEOUT = 20_000

/** The session is another one by now. */
class SignedOut extends Error {}

/** It is left for a page of the version that stored it. */
class OfAnotherVersion extends Error {}

/** What this person does that the server has not confirmed yet. */
export const outbox = new Outbox({
  store: {
    read: readOutbox,
    put: stored => putInOutbox(stored, () => readSessionPerson() === stored.person),
    delete: deleteFromOutbox,
  },
  // Without https there are no locks. Two tabs may then send the same call, which changes nothing.
  exclusively: async act => {
    if (globalThis.navigator?.locks === undefined) await act()
    else await navigator.locks.request(NAME, act)
  },
  send,
  failureOf,
  isReachable,
  lanesOf,
  replaces,
  wait: waitOrWakeUp,
  tellTabs: removal => channel?.postMessage(removal ?? 'changed'),
  logFailure: error => logError('Something that waits could not be sent', error),
})

channel?.addEventListener('message', ({ data }: MessageEvent<Removal | 'changed'>) => {
  void outbox.onStoreChange(data === 'changed' ? undefined : data)
})

async function send(stored: StoredCall): Promise<unknown> {
  if (readSessionPerson() !== stored.person) throw new SignedOut()
  const endpoint = endpointOf(stored)
  if (endpoint === undefined || readCall(stored) === undefined) throw new OfAnotherVersion()
  try {
    return await call(endpoint, stored.input as CallInput<Endpoint>, AbortSignal.timeout(SEND_TIMEOUT))
  } catch (error) {
    if (isOfLaterServer(error)) return undefined
    throw error
  }
}

/** The server has done it, and says so in another form. Pages of something in between, as of a Wi-Fi's sign-in, are not JSON. */
function isOfLaterServer(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unreadable' && !(error.cause instanceof SyntaxError)
}

function failureOf(error: unknown): Failure {
  if (error instanceof SignedOut) return 'signed-out'
  if (error instanceof OfAnotherVersion) return 'server'
  if (error instanceof DOMException) return 'later'
  if (!(error instanceof ApiError)) return 'refused'
  if (error.status === 401) return 'signed-out'
  if (error.status === 0 || [408, 429, 502, 503, 504].includes(error.status)) return 'later'
  // Not the library's own answer: a proxy may refuse what the library would take.
  if (error.code === 'unexplained' || error.code === 'unreadable') return 'server'
  return error.status >= 500 ? 'server' : 'refused'
}

export type Sent<E extends Endpoint> =
  | { status: 'sent'; answer: Answer<E> | undefined }
  | { status: 'refused'; error: unknown }
  | { status: 'waiting' }
  | { status: 'elsewhere' }

/**
 * Sends an idempotent call, now or as soon as the server can be reached. `shown` is what its place needs to show it until
 * then, besides the input. `stored`: if true, a killed page loses nothing from then on.
 */
export function sendOrWait<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  shown: unknown = null,
): { stored: Promise<boolean>; settled: Promise<Sent<E>> } {
  const id = createClientId()
  const { stored, settled } = outbox.add(newCall(endpoint, input, shown, id), id)
  const done = new AbortController()
  void unreachable(done.signal).then(() => outbox.settleUnreachable())
  void settled.then(() => done.abort())
  return { stored, settled: settled as Promise<Sent<E>> }
}

/** Browsers offer randomUUID with https only. */
function createClientId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** `unknown`: another version has stored it, and this one cannot say what it is. */
export type ShownCall = Omit<WaitingCall, 'call' | 'input' | 'shown'> & (Waiting | { kind: 'unknown' })

let shownFor: { calls: readonly WaitingCall[]; shown: readonly ShownCall[] } | undefined

/** What waits, oldest first. The same array until something changes. */
export function waitingCalls(): readonly ShownCall[] {
  const calls = outbox.all()
  if (shownFor?.calls !== calls) shownFor = { calls, shown: calls.map(readWaiting) }
  return shownFor.shown
}

function readWaiting({ call, input, shown, ...rest }: WaitingCall): ShownCall {
  return { ...rest, ...(readCall({ call, input, shown }) ?? { kind: 'unknown' }) }
}

export function useWaitingCalls(): readonly ShownCall[] {
  return useSyncExternalStore(outbox.subscribe, waitingCalls)
}
