import { copyFile, link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { recordAudit } from '#server/audit/public.ts'
import { CommandError } from '#server/cli/command.ts'
import { showProgress } from '#server/cli/progress.ts'
import type { MediaPartRow, MediaRow, NewMedia } from '#server/db/schema.ts'
import { features } from '#server/features.ts'
import { inChunks } from '#server/kit/in-chunks.ts'
import { pathBelow, rootFolder } from '#server/kit/safe-path.ts'
import { mediaColumns, takenAtByClient } from '#server/media/columns.ts'
import { updateCounts } from '#server/media/counts.sql.ts'
import { findParts } from '#server/media/media.sql.ts'
import { newKeyStem, originalKey } from '#server/media/object-keys.ts'
import { enqueuePrepare } from '#server/media/prepare/jobs.ts'
import { createHasher } from '#server/processing/hash.ts'
import { cameraName } from '#server/processing/metadata.ts'
import { parseKey } from '#server/storage/keys.ts'
import { systemCode } from '#server/storage/local/disk-errors.ts'
import { randomFrom } from './random.ts'
import type { SeedDeps } from './real-files.ts'
import { insertAllParts, insertFiles, readyFiles, type SeedState, writeState } from './seed.sql.ts'
import { type StoryFile, sceneOfReal, tellStory } from './story.ts'

/** Both engines limit the number of bound values per statement; a file has about 35, its parts as many. */
const AT_ONCE = 400

/** Adds files up to `wanted` that have their own rows and share the bytes of the real files. */
export async function addCopies(
  deps: SeedDeps,
  state: SeedState,
  { wanted, rowsOnly }: { wanted: number; rowsOnly: boolean },
): Promise<void> {
  const link = openLinker(join(deps.config.dataFolder, 'files'))
  const rowAndPartsOf = await openDescriber(deps, state)

  async function* batches(): AsyncGenerator<Copy[]> {
    for (const files of inChunks(tellStory(state.files, wanted, new Date(deps.clock())), AT_ONCE)) {
      deps.signal.throwIfAborted()
      const copies: Copy[] = []
      for (const file of files) copies.push(await rowAndPartsOf(file))
      if (!rowsOnly) await link(copies.flatMap(copy => copy.links))
      yield copies
    }
  }

  const progress = showProgress(deps.out, 'Adding', { files: wanted - state.files, bytes: 0 })
  let { files } = state
  for await (const copies of oneAhead(batches())) {
    files += copies.length
    await write(deps, copies, { ...state, files })
    progress.add(copies.length, 0)
  }
  progress.end()
}

/** One transaction for the whole batch: rows, parts, what features add, counts, audit lines, jobs and the seed's progress. */
async function write({ db, queue, relativeIds }: SeedDeps, copies: Copy[], state: SeedState): Promise<void> {
  await db.transaction(async tx => {
    const ids = await insertFiles(
      tx,
      copies.map(copy => copy.row),
    )
    const added = copies.map((copy, i) => ({ ...copy, id: ids[i] ?? 0 }))
    await insertAllParts(
      tx,
      added.flatMap(({ id, parts }) => parts.map(part => ({ ...part, media_id: id }))),
    )
    const seeded = added.map(({ id, row }) => ({ id, uploadedAt: row.uploaded_at, chance: chanceFor(id) }))
    for (const { seed } of features) await seed?.(tx, seeded, relativeIds)
    const live = copies.filter(({ row }) => row.deleted_at === null)
    await updateCounts(
      tx,
      live.map(({ row: { file_type, file_size, folder_id = null } }) => ({ file_type, file_size, folder_id })),
      1,
    )
    await recordAudit(
      tx,
      added.map(({ id, row }) => ({
        at: row.uploaded_at,
        actorId: row.uploaded_by,
        act: 'media.upload',
        subject: { type: 'media', id },
      })),
    )
    for (const { id, row } of added) if (row.status === 'processing') await enqueuePrepare(queue, tx, { ...row, id })
    await writeState(tx, state)
  })
}

function chanceFor(id: number): (probability: number) => boolean {
  const random = randomFrom(id, 5)
  return probability => random.chance(probability)
}

type Describer = (file: StoryFile) => Promise<Copy>

async function openDescriber(deps: SeedDeps, state: SeedState): Promise<Describer> {
  const templates = await readTemplates(deps, state)
  const placeName = rememberPlaces(deps)
  return async file => {
    const alike = templates.filter(template => template.scene === file.scene)
    const template = randomFrom(file.number, 4).pick(alike.length > 0 ? alike : templates)
    return copyOf(template, file, {
      now: deps.clock(),
      folderId: await deps.folderFor(file.folders),
      uploaderId: deps.relativeIds[file.uploader] ?? 0,
      location: await placeName(file),
    })
  }
}

async function readTemplates({ db }: SeedDeps, { real }: SeedState): Promise<(Template & { scene: string })[]> {
  const files = await readyFiles(db.query, real)
  if (files.length === 0)
    throw new CommandError('None of the painted pictures could be prepared, so there is nothing to share.')
  const parts = await findParts(db.query, real)
  return files.map(media => ({
    media,
    parts: parts.get(media.id) ?? [],
    scene: sceneOfReal(real.indexOf(media.id)),
  }))
}

/** Caches place names per kilometre: an event stays in about one place, and a lookup is slow. */
function rememberPlaces({ tools }: SeedDeps): (file: StoryFile) => Promise<string | null> {
  const names = new Map<string, Promise<string | undefined>>()
  return async ({ metadata }) => {
    const { latitude, longitude } = metadata ?? {}
    if (latitude == null || longitude == null) return null
    const at = `${latitude.toFixed(2)} ${longitude.toFixed(2)}`
    const name = names.get(at) ?? tools.placeName(latitude, longitude)
    names.set(at, name)
    return (await name) ?? null
  }
}

/** Prefetch: produces the next item while the current one is in use. */
async function* oneAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  for (let next = source.next(); ; ) {
    const { done, value } = await next
    if (done) return
    next = source.next()
    // Unclaimed prefetches must not raise unhandled rejections.
    next.catch(() => undefined)
    yield value
  }
}

/** A file with its own bytes, which copies share. */
export interface Template {
  media: MediaRow
  parts: MediaPartRow[]
}

export interface Copy {
  row: NewMedia
  parts: Omit<MediaPartRow, 'media_id'>[]
  links: Link[]
}

export interface CopyOptions {
  now: number
  folderId: number | null
  uploaderId: number
  location: string | null
}

type SeededState = 'ready' | 'processing' | 'failed' | 'deleted'

/** A few files with each kind of failure, so that the pages for failures are not empty. */
function stateOf(number: number): SeededState {
  if (number % 977 === 400) return 'failed'
  if (number % 4_001 === 500) return 'processing'
  return number % 499 === 300 ? 'deleted' : 'ready'
}

const HOUR = 3_600_000

/** The row and parts of a copy, and the links to the bytes that it shares with the template. */
function copyOf({ media, parts }: Template, file: StoryFile, options: CopyOptions): Copy {
  const state = stateOf(file.number)
  const original = parts.find(part => part.kind === 'original')
  if (!original) throw new Error(`File ${media.id} has no original`)
  const name = `${file.name}.${endingOf(original.key)}`
  const taken = Date.parse(`${file.taken.local}Z`)
  const stem = newKeyStem(name, new Date(taken))
  const shared = state === 'ready' || state === 'deleted' ? parts : [original]
  const copies = shared.map(({ media_id, ...part }) => ({ from: part.key, part: { ...part, key: keyFor(stem, part) } }))
  const uploadedAt = Math.round(Math.min(taken + file.uploadDelay, options.now - HOUR))
  return {
    row: {
      ...wordsOf(media, file, name, uploadedAt, options.location),
      ...bytesOf(media),
      ...conditionOf(state, media, options),
      original_name: name,
      hash: hashOf(file.number),
      uploaded_at: uploadedAt,
      uploaded_by: options.uploaderId,
      folder_id: options.folderId,
      version: 1,
    },
    parts: copies.map(copy => copy.part),
    links: copies.map(({ from, part }) => ({ from, to: part.key })),
  }
}

function wordsOf(media: MediaRow, file: StoryFile, name: string, uploadedAt: number, location: string | null) {
  const { width: originalWidth, height: originalHeight } = media
  const metadata: PhotoMetadata | null = file.metadata && { ...file.metadata, originalWidth, originalHeight }
  const camera = cameraName(metadata?.make, metadata?.model)
  const fileDate = Date.parse(`${file.taken.local}Z`)
  // The story's times are local times.
  const known = { name, metadata, location, camera, fileDate, uploadedAt, homeTimeZone: 'UTC' }
  return mediaColumns({ ...known, takenAt: takenAtByClient(metadata) })
}

function bytesOf(media: MediaRow) {
  const { file_type, format, mime_type, file_size, width, height, duration, thumbhash } = media
  const { animated, partly_damaged, incomplete, expected_size, playback_type, rotation, variants_rotation } = media
  const damage = { partly_damaged, incomplete, expected_size }
  const pictured = { width, height, duration, thumbhash, animated, ...damage, playback_type }
  const turned = { rotation, variants_rotation }
  return { file_type, format, mime_type, file_size, ...pictured, ...turned }
}

function conditionOf(state: SeededState, { shown_part, file_type }: MediaRow, { now, uploaderId }: CopyOptions) {
  const unprepared = state === 'processing' || state === 'failed'
  return {
    status: unprepared ? state : ('ready' as const),
    // Whether a video is playable is unknown before it is prepared.
    shown_part: unprepared && file_type === 'video' ? null : shown_part,
    progress: state === 'processing' ? 0 : null,
    failure_reason: state === 'failed' ? 'The work on this file was stopped: it took too long.' : null,
    failed_at: state === 'failed' ? now : null,
    deleted_at: state === 'deleted' ? now : null,
    deleted_by: state === 'deleted' ? uploaderId : null,
    // Its hash does not match the shared bytes; a recent `verified_at` keeps the integrity check away for a month.
    verified_at: now,
    damaged_at: null,
  }
}

/** Hashes are unique in a library, so a copy cannot have that of its bytes: it has the hash of the file's number. */
function hashOf(number: number): string {
  const hasher = createHasher()
  hasher.update(Buffer.from(`seeded file ${number}`))
  return hasher.digest()
}

/** All in the month's folder: a folder per file, as real uploads have it, would need a million folders. */
function keyFor(stem: string, { kind, key }: { kind: string; key: string }): string {
  const ending = endingOf(key)
  return kind === 'original' ? originalKey(stem, ending) : `variants/${stem}.${kind}-v1.${ending}`
}

function endingOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}

/** A further key for bytes that are already stored. */
export interface Link {
  from: string
  to: string
}

/**
 * Adds keys to stored bytes by hard links, so that a million files need no disk space. The storage folder is local
 * and stored files are immutable, so readers see no difference.
 */
function openLinker(folder: string): (links: Link[]) => Promise<void> {
  const root = rootFolder(folder)
  const pathOf = (key: string) => pathBelow(root, parseKey(key))
  const made = new Map<string, Promise<unknown>>()

  async function add({ from, to }: Link): Promise<void> {
    const path = pathOf(to)
    const parent = dirname(path)
    if (!made.has(parent)) made.set(parent, mkdir(parent, { recursive: true }))
    await made.get(parent)
    try {
      await link(pathOf(from), path)
    } catch (error) {
      // The number of hard links per file is limited; a copy starts a new inode.
      if (systemCode(error) === 'EMLINK') await copyFile(pathOf(from), path)
      else throw asRefusal(error)
    }
  }

  return async links => {
    await Promise.all(links.map(add))
  }
}

function asRefusal(error: unknown): unknown {
  const unable = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error) ?? '')
  if (!unable) return error
  return new CommandError(
    'The disk of DATA_DIR knows no hard links, by which seeded files share pictures. Use --rows-only.',
    {
      cause: error,
    },
  )
}
