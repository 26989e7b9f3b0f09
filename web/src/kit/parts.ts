import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { bulkChanges } from '#contract/limits.ts'
import { ApiError, call } from './api.ts'
import { texts } from './texts.ts'
import type { Changed } from './undo.ts'

/** How a change is sent in several calls, one after the other. */
export interface Parts<E extends Endpoint> {
  /** The ids in the input, and how many of them one call takes. */
  ids: (input: CallInput<E>) => readonly number[]
  size: number
  /** The input of a call for some of them; `before`: the answers to the earlier calls. */
  take: (input: CallInput<E>, ids: number[], before: Answer<E> | undefined) => CallInput<E>
  /** Makes the later calls, where they use another endpoint than the first. */
  continueWith?: (before: Answer<E>, ids: number[]) => Promise<Answer<E>>
  /** Two answers as one: what undoes both. */
  merge: (a: Answer<E>, b: Answer<E>) => Answer<E>
  /**
   * The answer to a call that changed all of its files, for an answer that was lost. Only where undoing more than was
   * changed changes nothing: deleted files are restored, but a tag that a file had before must stay.
   */
  ifAllChanged?: (ids: number[], before: Answer<E>) => Answer<E> | undefined
}

/** A change of many files of which a later call failed. */
interface Stopped {
  /** How many files the calls before it were for. */
  done: number
  /** How many files may have been changed without an answer, and whether Undo includes them. */
  unknown: number
  undoIncludesUnknown: boolean
  total: number
}

export function stoppedInWords({ done, unknown, undoIncludesUnknown, total }: Stopped): string {
  if (unknown === 0) return texts.doneInPart({ done, total })
  return undoIncludesUnknown
    ? texts.doneInPartUnknown({ done, total, unknown })
    : texts.doneInPartWithoutUndo({ done, total, unknown })
}

export interface PartlyDone<E extends Endpoint> {
  answer: Answer<E>
  /** Set if a later call failed. */
  stopped?: Stopped & { error: unknown; ifDone?: Answer<E> | undefined }
}

/** What was done before a call failed stays, and can be undone. */
export async function callInParts<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  { ids, size, take, continueWith, merge, ifAllChanged }: Parts<E>,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<PartlyDone<E>> {
  const all = ids(input)
  let answer: Answer<E> | undefined
  for (let done = 0; done < all.length; done += size) {
    onProgress(done, all.length)
    const some = all.slice(done, done + size)
    const callNext = () => call(endpoint, take(input, some, answer))
    try {
      if (answer === undefined) answer = await callNext()
      else answer = merge(answer, await (continueWith?.(answer, some) ?? callNext()))
    } catch (error) {
      if (answer === undefined) throw error
      const unknown = isAnswerLost(error) ? some.length : 0
      const ifDone = unknown > 0 ? ifAllChanged?.(some, answer) : undefined
      const undoIncludesUnknown = ifDone !== undefined
      return { answer, stopped: { error, done, unknown, undoIncludesUnknown, total: all.length, ifDone } }
    }
  }
  if (answer === undefined) throw new Error('A change of no files')
  return { answer }
}

/** Whether the server may have made the change all the same: no response, one of a proxy, or an unreadable one. */
function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status < 400 || error.status === 502 || error.status === 504
}

interface Ids {
  key: 'fileIds' | 'ids'
  size: number
}

/** What else is known of the calls for an endpoint. */
interface More<E extends Endpoint> extends Pick<Parts<E>, 'ifAllChanged'> {
  /** What else the body of a later call says. */
  continuing?: (before: Answer<E>) => object
}

/** Of an endpoint whose body has these ids. */
export function partsOf<E extends Endpoint>(
  { key, size }: Ids,
  merge: Parts<E>['merge'],
  { continuing = () => ({}), ...more }: More<E> = {},
): Parts<E> {
  const bodyOf = (input: CallInput<E>) => (input as { body: Record<typeof key, number[]> }).body
  return {
    ids: input => bodyOf(input)[key],
    size,
    take: (input, ids, before) => ({
      ...input,
      body: { ...bodyOf(input), [key]: ids, ...(before === undefined ? {} : continuing(before)) },
    }),
    merge,
    ...more,
  }
}

/** Of an endpoint whose calls are one change on the server. */
export function partsOfChange<E extends Endpoint>(
  merge: (a: Answer<E> & Changed, b: Answer<E> & Changed) => Partial<Answer<E>> = () => ({}),
): Parts<E> {
  const both = (a: Answer<E> & Changed, b: Answer<E> & Changed): Answer<E> => ({
    ...a,
    ...b,
    change_id: a.change_id ?? b.change_id,
    changed: a.changed + b.changed,
    ...merge(a, b),
  })
  return partsOfFiles<E>((a, b) => both(a as Answer<E> & Changed, b as Answer<E> & Changed), {
    continuing: before => ({ continues: (before as Changed).change_id }),
    // The undo of the earlier calls includes it.
    ifAllChanged: (_, before) =>
      (before as Changed).change_id === null ? undefined : { ...(before as Answer<E> & Changed), changed: 0 },
  })
}

/** Of an endpoint that changes files. */
export function partsOfFiles<E extends Endpoint>(merge: Parts<E>['merge'], more?: More<E>): Parts<E> {
  return partsOf({ key: 'fileIds', size: bulkChanges.files }, merge, more)
}
