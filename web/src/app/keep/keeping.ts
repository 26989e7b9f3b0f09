import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from 'sonner'
import { variants } from '#contract/limits.ts'
import { texts } from '../../device/keep-texts.ts'
import { ApiError } from '../../kit/api.ts'
import type { KeptList } from '../../kit/device-store.ts'
import { onKeptChange, readKept, removeKept, writeKept } from '../../kit/kept-store.ts'
import { logError } from '../../kit/log.ts'
import { isReachable, onReachable } from '../../kit/reachability.ts'
import { readSessionPerson } from '../../kit/token.ts'

const LOCK = 'heirloom-keeping'

/** Pictures need a service worker to be shown, which browsers have with https only. */
export function canKeep(): boolean {
  return 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null && globalThis.caches !== undefined
}

export type NewKept = Pick<KeptList, 'kind' | 'id' | 'name' | 'files'>

const keyOf = ({ kind, id }: Pick<KeptList, 'kind' | 'id'>) => `${kind} ${id}`

/** Asks the browser not to remove what is kept when space runs out. */
export async function keep(list: NewKept): Promise<void> {
  await writeKept({ ...list, key: keyOf(list), done: 0, bytes: 0, state: 'loading' }, { isNew: true })
  await navigator.storage?.persist?.()
  void updateAll()
}

export async function stopKeeping(list: Pick<KeptList, 'kind' | 'id'>): Promise<void> {
  await removeKept(keyOf(list))
}

let running = false
let again = false

/** One tab loads, one list after the other. */
async function updateAll(): Promise<void> {
  again = running
  if (running || !isReachable()) return
  running = true
  try {
    if (navigator.locks === undefined) await updateEach()
    else await navigator.locks.request(LOCK, { ifAvailable: true }, lock => (lock === null ? undefined : updateEach()))
  } finally {
    running = false
  }
  if (again) void updateAll()
}

async function updateEach(): Promise<void> {
  const person = readSessionPerson()
  if (person === null) return
  const isAllowed = () => readSessionPerson() === person
  const kept = await readKept()
  if (kept.length === 0) return
  const { Stopped, updateKept } = await import('./keep-list.ts')
  // Those that are not complete first.
  for (const list of kept.toSorted((a, b) => Number(a.state === 'kept') - Number(b.state === 'kept'))) {
    try {
      await updateKept(list, isAllowed)
    } catch (error) {
      if (error instanceof Stopped) continue
      if (isDeviceFull(error)) return await reportFull(list, isAllowed)
      logError('What is kept on this device could not be brought up to date', error)
      // Without a connection it goes on when the server can be reached again.
      if (!(error instanceof ApiError) || error.status === 0) return
    }
  }
}

/** Thrown by the database and the cache alike. */
export function isDeviceFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}

async function reportFull(list: KeptList, isAllowed: () => boolean): Promise<void> {
  sayFull(list.name)
  const current = (await readKept()).find(({ key }) => key === list.key)
  try {
    if (current !== undefined && isAllowed()) await writeKept({ ...current, state: 'full' })
  } catch (error) {
    // Not even this has room; the page shows how much is there.
    logError('What is kept could not be recorded', error)
  }
}

export function sayFull(name: string): void {
  toast.error(texts.full({ name }), { description: texts.fullText })
}

const INTERVAL = 60 * 60_000
/** After the first screen. */
const FIRST_DELAY = 4_000

/** Goes on with what is being loaded, and looks for what is new. */
export function useKeeping(): void {
  useEffect(() => {
    const update = () => void updateAll().catch(error => logError('What is kept could not be read', error))
    const first = setTimeout(update, FIRST_DELAY)
    const timer = setInterval(update, INTERVAL)
    const stopWatching = onReachable(update)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
      stopWatching()
    }
  }, [])
}

const keptKey = ['kept on this device']

/** Undefined where it is not kept. */
export function useKept(list: Pick<KeptList, 'kind' | 'id'>): KeptList | undefined {
  const client = useQueryClient()
  useEffect(() => onKeptChange(() => void client.invalidateQueries({ queryKey: keptKey })), [client])
  const { data } = useQuery({ queryKey: keptKey, queryFn: readKept, enabled: globalThis.indexedDB !== undefined })
  return data?.find(({ key }) => key === keyOf(list))
}

/** A picture of this size has about so many bytes for each of its pixels. */
const BYTES_PER_PIXEL = 0.22
const THUMBNAIL_BYTES = 15_000

/** What so many files will take on this screen, roughly. */
export function estimateBytes(files: number): number {
  const pixels = Math.max(window.screen.width, window.screen.height) * window.devicePixelRatio
  const sizes = [variants.mobile.maxSize, variants.website.maxSize, variants.desktop.maxSize]
  const size = sizes.find(max => max >= pixels / 1.15) ?? variants.desktop.maxSize
  return files * (THUMBNAIL_BYTES + size * size * 0.7 * BYTES_PER_PIXEL)
}
