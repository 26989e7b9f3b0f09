import './hearts.css'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { toast } from 'sonner'
import { type GridFile, mediaGrid } from '#contract/grid.ts'
import { heartFile, heartFiles, listHearts, unheartFile, unheartFiles } from '#contract/hearts.ts'
import type { Person } from '#contract/people.ts'
import { can } from '#contract/rights.ts'
import { offerUndo, showFailure, useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { type Change, invalidate } from '../kit/changes.ts'
import { useMe } from '../kit/me.tsx'
import { recordMoment } from '../kit/moments.ts'
import { isHeart } from '../kit/outbox/calls.ts'
import { outbox, sendOrWait, waitingCalls } from '../kit/outbox/page-outbox.ts'
import { partsOfFiles } from '../kit/parts.ts'
import { endpointKey } from '../kit/queries.ts'
import { undoStepsFor } from '../kit/undo.ts'
import { texts } from './texts.ts'

type SetHeart = (fileId: number, hearted: boolean) => void

/** Adds a file to the person's favourites or removes it, shown at once. Undefined for people who may not. */
export function useSetHeart(): SetHeart | undefined {
  const client = useQueryClient()
  const user = useMe()
  return useMemo(() => {
    if (user === null || !can(user.role, 'media.heart')) return undefined
    const me = user
    async function set(id: number, hearted: boolean): Promise<void> {
      showHearts(client, me, new Set([id]), hearted)
      wanted.set(id, hearted)
      if (hearted) toast.dismiss(removedToast(id))
      const { settled } = sendOrWait(hearted ? heartFile : unheartFile, { params: { id } })
      const outcome = await settled
      // What is shown must not change back for a moment between two quick taps, nor while it waits.
      if (outcome.status === 'waiting') return
      if (outcome.status === 'refused') showFailure(hearted ? texts.addFailed : texts.removeFailed, outcome.error)
      else {
        if (hearted && outcome.status === 'sent') recordMoment()
        // The heart may be back by now.
        if (outcome.status === 'sent' && wanted.get(id) === false) showRemoved(id, () => void set(id, true))
      }
      if (waitingHearts().size === 0) await invalidate(client, { kind: 'hearts', person_id: me.id, ids: [id] })
    }
    return (id, hearted) => void set(id, hearted)
  }, [client, user])
}

/** Whether the person's last choice for a file was a heart. */
const wanted = new Map<number, boolean>()

function removedToast(fileId: number): string {
  return `heart-removed-${fileId}`
}

function showRemoved(fileId: number, undo: () => void): void {
  const undoIt = async () => {
    undo()
    return true
  }
  toast.success(texts.removed, offerUndo(texts.removed, undoIt, null, removedToast(fileId)))
}

/** The last choice for each file that the server has not confirmed yet. */
function waitingHearts(): Map<number, boolean> {
  const hearts = waitingCalls().filter(isHeart)
  return new Map(hearts.flatMap(({ kind, files }) => files.map(id => [id, kind === 'heart'] as const)))
}

/** Whether hearts are shown that the server has not confirmed yet. */
export function useHasUnconfirmedHearts(): boolean {
  return useSyncExternalStore(outbox.subscribe, () => waitingCalls().some(isHeart))
}

/** Answers of the server, and of this device, do not know the hearts that wait yet. */
export function useWaitingHearts(me: Person): void {
  const client = useQueryClient()
  useEffect(() => {
    const show = () => {
      const hearts = waitingHearts()
      for (const hearted of [true, false]) {
        const ids = new Set([...hearts.keys()].filter(id => hearts.get(id) === hearted))
        if (ids.size > 0) setHearts(client, me, ids, hearted)
      }
    }
    const answers = new Set([mediaGrid, listHearts].map(endpoint => endpointKey(endpoint)[0]))
    const stopFollowing = client.getQueryCache().subscribe(event => {
      const isAnswer = event.type === 'updated' && event.action.type === 'success' && event.action.manual !== true
      if (isAnswer && answers.has(String(event.query.queryKey[0]))) show()
    })
    // What this device has kept is read after the first answers.
    const stopListening = outbox.subscribe(show)
    show()
    return () => {
      stopFollowing()
      stopListening()
    }
  }, [client, me])
}

/** The same for many files, with a toast that offers Undo. Undefined for people who may not. */
export function useSetHearts(): ((fileIds: readonly number[], hearted: boolean) => Promise<boolean>) | undefined {
  const client = useQueryClient()
  const me = useMe()
  const changes: Change[] = me === null ? [] : [{ kind: 'hearts', person_id: me.id, ids: [] }]
  const add = useAction(heartFiles, {
    success: ({ fileIds }) => texts.addedMany({ count: fileIds.length }),
    failure: texts.addFailed,
    changes,
    parts: partsOfFiles(mergeFileIds),
    waits: () => ({}),
    undo: changed => undoStepsFor(changed.fileIds, fileIds => countChanged(call(unheartFiles, { body: { fileIds } }))),
  })
  const remove = useAction(unheartFiles, {
    success: ({ fileIds }) => texts.removedMany({ count: fileIds.length }),
    failure: texts.removeFailed,
    changes,
    parts: partsOfFiles(mergeFileIds),
    waits: () => ({}),
    undo: changed => undoStepsFor(changed.fileIds, fileIds => countChanged(call(heartFiles, { body: { fileIds } }))),
  })
  if (me === null || !can(me.role, 'media.heart')) return undefined
  return (ids, hearted) => {
    showHearts(client, me, new Set(ids), hearted)
    return (hearted ? add : remove).run({ body: { fileIds: [...ids] } })
  }
}

function mergeFileIds(a: { fileIds: number[] }, b: { fileIds: number[] }) {
  return { fileIds: [...a.fileIds, ...b.fileIds] }
}

async function countChanged(answer: Promise<{ fileIds: number[] }>): Promise<number> {
  return (await answer).fileIds.length
}

export interface HeartsOfFile {
  hearted: boolean
  count: number
  /** Undefined while loading. */
  people: readonly Person[] | undefined
}

/** Who loves a file. What its tile shows is known before the response. */
export function useHeartsOf(fileId: number): HeartsOfFile {
  const client = useQueryClient()
  const me = useMe()
  const people = useQuery(heartsQuery(fileId)).data
  // Subscribed to, because the person's own heart changes the tile before the response.
  const subscribe = useCallback((listener: () => void) => client.getQueryCache().subscribe(listener), [client])
  const tile = useSyncExternalStore(subscribe, () => (people === undefined ? findTile(client, fileId) : undefined))
  if (people === undefined) return { hearted: tile?.hearted ?? false, count: tile?.hearts ?? 0, people }
  return { hearted: people.some(({ id }) => id === me?.id), count: people.length, people }
}

function heartsQuery(fileId: number) {
  return queryOptions({
    queryKey: heartsKey(fileId),
    queryFn: () => fetchHearts(fileId),
    staleTime: 60_000,
  })
}

function heartsKey(fileId: number) {
  return [...endpointKey(listHearts), fileId]
}

interface Batch {
  ids: Set<number>
  answer: Promise<Map<number, readonly Person[]>>
}

const MAX_BATCH = 200
let batch: Batch | undefined

/** The files that are asked for at the same moment, such as those in a conversation, are one request. */
async function fetchHearts(fileId: number): Promise<readonly Person[]> {
  const mine = batch ?? openBatch()
  mine.ids.add(fileId)
  if (mine.ids.size === MAX_BATCH) batch = undefined
  return (await mine.answer).get(fileId) ?? []
}

function openBatch(): Batch {
  const ids = new Set<number>()
  async function send() {
    await new Promise(resolve => setTimeout(resolve))
    if (batch?.ids === ids) batch = undefined
    const answer = await call(listHearts, { query: { ids: [...ids].join() } })
    return new Map(answer.map(({ media_id, people }) => [media_id, people]))
  }
  batch = { ids, answer: send() }
  return batch
}

function findTile(client: QueryClient, id: number): GridFile | undefined {
  const pages = client.getQueriesData<readonly GridFile[]>({ queryKey: endpointKey(mediaGrid) })
  for (const [, page] of pages) {
    const tile = page?.find(file => file.id === id)
    if (tile !== undefined) return tile
  }
  return undefined
}

/** Whether all of these files are favourites, as far as the loaded tiles tell. */
export function areHearted(client: QueryClient, ids: ReadonlySet<number>): boolean {
  const missing = new Set(ids)
  for (const [, page] of client.getQueriesData<readonly GridFile[]>({ queryKey: endpointKey(mediaGrid) })) {
    for (const { id, hearted } of page ?? []) if (hearted) missing.delete(id)
  }
  return missing.size === 0
}

/** Optimistic update of everything that shows hearts. The caller invalidates it once the server has responded. */
export function showHearts(
  client: QueryClient,
  { id, username, name }: Person,
  fileIds: ReadonlySet<number>,
  hearted: boolean,
): void {
  // A response that predates the change must not replace it. First fetches go on, because they show the photos.
  for (const endpoint of [mediaGrid, listHearts]) {
    const queryKey = endpointKey(endpoint)
    void client.cancelQueries({ queryKey, predicate: ({ state }) => state.data !== undefined })
  }
  setHearts(client, { id, username, name }, fileIds, hearted)
}

function setHearts(
  client: QueryClient,
  { id, username, name }: Person,
  fileIds: ReadonlySet<number>,
  hearted: boolean,
): void {
  client.setQueriesData<readonly GridFile[]>({ queryKey: endpointKey(mediaGrid) }, files => {
    const changes = (file: GridFile) => fileIds.has(file.id) && file.hearted !== hearted
    if (!files?.some(changes)) return files
    return files.map(file => (changes(file) ? { ...file, hearted, hearts: file.hearts + (hearted ? 1 : -1) } : file))
  })
  for (const fileId of fileIds) {
    client.setQueryData<readonly Person[]>(heartsKey(fileId), people => {
      if (people?.some(person => person.id === id) === hearted) return people
      const others = people?.filter(person => person.id !== id)
      return hearted ? others && [...others, { id, username, name }] : others
    })
  }
}
