import { useSyncExternalStore } from 'react'

/** Something that this page has done and can undo. */
export interface UndoEntry {
  id: number
  /** What was done, as its message said. */
  what: string
  at: number
  /** Of the change that the server remembers; null where it does not. */
  changeId: number | null
  /** Resolves to whether it is over: false if it can be tried again. */
  undo: () => Promise<boolean>
  /** Removes the message that offers the same Undo. */
  dismiss: () => void
  /** It is being undone. It stays in the list until that is over, because the server still lists it, too. */
  undoing: boolean
}

/** So many are kept. */
const KEPT = 10

let entries: readonly UndoEntry[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly UndoEntry[]): void {
  entries = next
  for (const listener of listeners) listener()
}

/** Remembers what can be undone. Returns what undoes it, once. */
export function recordUndo(entry: Omit<UndoEntry, 'id' | 'at' | 'undoing'>): () => Promise<void> {
  const id = ++lastId
  change([{ ...entry, id, at: Date.now(), undoing: false }, ...entries].slice(0, KEPT))
  return () => undoEntry(id)
}

/** Does nothing for one that was undone already, or is being undone. */
export async function undoEntry(id: number): Promise<void> {
  const entry = entries.find(one => one.id === id)
  if (entry === undefined || entry.undoing) return
  setUndoing(id, true)
  entry.dismiss()
  if (await entry.undo()) forgetUndo(one => one.id === id)
  else setUndoing(id, false)
}

function setUndoing(id: number, undoing: boolean): void {
  change(entries.map(one => (one.id === id ? { ...one, undoing } : one)))
}

export async function undoLast(): Promise<void> {
  const last = entries.find(({ undoing }) => !undoing)
  if (last !== undefined) await undoEntry(last.id)
}

/** For one that was undone in another way. */
export function forgetUndo(isMeant: (entry: UndoEntry) => boolean = () => true): void {
  change(entries.filter(entry => !isMeant(entry)))
}

/** The newest first. */
export function undoHistory(): readonly UndoEntry[] {
  return entries
}

export function useUndoHistory(): readonly UndoEntry[] {
  return useSyncExternalStore(subscribe, undoHistory)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
