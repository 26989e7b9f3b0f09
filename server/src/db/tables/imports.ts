import type { Generated } from 'kysely'
import type { ImportKind, ImportState } from '#contract/imports.ts'

/** Imports from other systems. */
export interface ImportTables {
  imports: ImportsTable
  import_files: ImportFilesTable
  import_facts: ImportFactsTable
  import_albums: ImportAlbumsTable
  imported_names: ImportedNamesTable
  edited_versions: EditedVersionsTable
}

interface ImportsTable {
  id: Generated<number>
  kind: ImportKind
  /** What its reader needs, as JSON. */
  source: string
  /** Whose the files and hearts are. */
  person_id: number
  state: ImportState
  created_at: number
  started_at: number | null
  finished_at: number | null
  /** All files of the plan, and those that are done. */
  files: Generated<number>
  bytes: Generated<number>
  files_done: Generated<number>
  bytes_done: Generated<number>
  /** An `ImportReport`, once it has ended. */
  report: string | null
  failure: string | null
}

/** The files that an import has read, and what they are here. A second run does not read them again. */
interface ImportFilesTable {
  import_id: number
  /** Kind, path, size and fingerprint, hashed. */
  source_key: string
  /** What the other system calls it, such as its address there. */
  source_id: string | null
  hash: string
  /** Perhaps purged since. */
  media_id: number
  /** 1: this import added it, and undoing the import deletes it. */
  added: number
}

/**
 * What imports gave to files: `date`, `heart:7`, `album:12`. Once given, it is not given again, so that what people have changed
 * since stays.
 */
interface ImportFactsTable {
  media_id: number
  fact: string
  import_id: number
  /** What undoes it; null: it has an undo of its own, or came with a new file. */
  change_id: number | null
}

/** Which album here is which of the source. */
interface ImportAlbumsTable {
  person_id: number
  source_key: string
  /** The import that made it. */
  import_id: number
  /** Perhaps deleted since. */
  album_id: number
}

/** Who is in a photo, as another system says. Names only: not tags, and not yet persons. */
interface ImportedNamesTable {
  media_id: number
  name: string
  import_id: number
}

/** Which file is an edited version of which, as another system says. Both are files of their own. */
interface EditedVersionsTable {
  media_id: number
  original_id: number
  import_id: number
}
