import type { FastifyInstance } from 'fastify'
import type { LiveEvent } from '#contract/live.ts'
import type { PersonStatus } from '#contract/people.ts'
import type { UndoKinds } from './changes/public.ts'
import type { Tx } from './db/schema.ts'
import type { Queue } from './jobs/queue.ts'
import type { SidecarFacts } from './media/public.ts'
import type { AggregatedNotifications } from './notifications/public.ts'

/**
 * What a feature adds to the server, in its `feature.ts`; `features.ts` lists all of them. `Deps` is what it needs of the
 * composition root. Its rights and live events are in `contract/src/features.ts`.
 */
export interface Feature<Deps> {
  /** Of servers that answer people. Those of sign-in are first, because they let requests have cookies. */
  routes?: (app: FastifyInstance, deps: Deps) => void | Promise<void>
  /** Of servers that work on jobs. */
  jobs?: (queue: Queue, deps: Deps) => void
  /** Other work in the background of servers that work on jobs. */
  background?: (app: FastifyInstance, deps: Deps) => Promise<void>
  /** Removes for good what was deleted before this time. */
  purge?: (tx: Tx, before: number) => Promise<void>
  /** How its changes of files are undone. */
  undo?: (deps: Deps) => UndoKinds
  /** In the transaction in which a person loses access. */
  accessEnded?: (deps: Deps, tx: Tx, ended: AccessEnded) => Promise<void>
  /** Its live events after which a search may find other files. */
  changesSearches?: readonly LiveEvent['kind'][]
  notifications?: Partial<AggregatedNotifications>
  exported?: ExportedOfFile
  /** Made-up data for new files of `npm run seed`. */
  seed?: (tx: Tx, files: readonly SeededFile[], personIds: readonly number[]) => Promise<void>
}

export interface AccessEnded {
  personId: number
  status: PersonStatus | 'closed'
  adminId: number
}

/** What an export writes of each photo. */
export interface ExportedOfFile {
  /** A query for the ids of files and one text each, in order. `ids` is a list in parentheses. */
  query: (ids: string) => string
  /** Fields of `photo.jpg.JSON` made of these texts, those of archives of immich-go and those of ours, and of its XMP sidecar. */
  fields: (texts: readonly string[]) => { archive?: object; heirloom: object; xmp?: Pick<SidecarFacts, 'lovedBy'> }
}

export interface SeededFile {
  id: number
  uploadedAt: number
  /** The same for the same file at each run. */
  chance: (probability: number) => boolean
}
