import type { ImportKind, ImportProblem, ImportReport } from '#contract/imports.ts'
import type { AlbumDeps } from '../albums/public.ts'
import { AppError } from '../kit/errors.ts'
import type { MediaTools } from '../media/public.ts'
import type { StoreItemDeps } from './store-item.ts'

export interface ImportDeps extends Omit<StoreItemDeps, 'personId' | 'signal'>, Omit<AlbumDeps, 'storage'> {
  tools: MediaTools
}

export interface ImportOptions {
  importId: number
  kind: ImportKind
  /** Whose the files and hearts are. */
  personId: number
  /** Also import what was deleted in the library. */
  again: boolean
  signal: AbortSignal
  progress: (files: number, bytes: number) => void
}

export interface Importing extends ImportDeps, ImportOptions {
  /** Ids of approved people by their comparable names. */
  people: ReadonlyMap<string, number | undefined>
  changes: ContinuedChanges
  folderFor: (folders: readonly string[]) => Promise<number | null>
  report: ImportReport
  /** The files that it has added. */
  added: Set<number>
  problem: (problem: ImportProblem) => void
}

/** One change for all files of an import, of each kind: it is one line of the activity. */
export class ContinuedChanges {
  readonly #ids = new Map<string, number>()
  #last: Promise<unknown> = Promise.resolve()

  /** One at a time, so that two files do not begin a change each. */
  async continued<Answer extends { change_id: number | null }>(
    kind: string,
    change: (continues: number | null) => Promise<Answer>,
  ): Promise<Answer> {
    const next = this.#last.then(async () => {
      const answer = await this.#tryToContinue(this.#ids.get(kind) ?? null, change)
      if (answer.change_id !== null) this.#ids.set(kind, answer.change_id)
      return answer
    })
    this.#last = next.catch(() => {})
    return next
  }

  async #tryToContinue<Answer>(
    continues: number | null,
    change: (continues: number | null) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await change(continues)
    } catch (error) {
      // Undone, or older than a day.
      if (continues === null || !(error instanceof AppError && error.code === 'conflict')) throw error
      return change(null)
    }
  }
}
