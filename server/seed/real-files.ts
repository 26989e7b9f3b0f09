import { execFile } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Call, noopLog } from '#server/cli/command.ts'
import { showProgress } from '#server/cli/progress.ts'
import type { AppContext } from '#server/context.ts'
import type { FolderFinder } from '#server/folders/public.ts'
import { createQueue } from '#server/jobs/queue.ts'
import { newName, pathBelow, type RootFolder, type SafePath } from '#server/kit/safe-path.ts'
import { enqueuePrepare } from '#server/media/prepare/jobs.ts'
import { handlePrepareJobs } from '#server/media/prepare/prepare.ts'
import { checkOriginal, noPictures } from '#server/media/upload/check-upload.ts'
import { mediaIdOf, storeUpload } from '#server/media/upload/store-upload.ts'
import { hashFile } from '#server/processing/hash.ts'
import { canTranscode, type Ffmpeg, type FoundFfmpeg } from '#server/processing/video/find-ffmpeg.ts'
import { type PaintedFormat, paint } from './paint.ts'
import { countStatus, type SeedState, writeState } from './seed.sql.ts'
import { type StoryFile, sceneOfReal, tellStory } from './story.ts'

export interface SeedDeps extends AppContext, Pick<Call, 'out' | 'signal'> {
  folderFor: FolderFinder
  relativeIds: readonly number[]
}

/**
 * Adds files with their own bytes up to `count`. The regular jobs create the variants, read the metadata and name the
 * places; they run while further files are painted, because painting alone would leave cores idle.
 */
export async function addPreparedFiles(deps: SeedDeps, state: SeedState, count: number): Promise<SeedState> {
  const { db, clock, tools } = deps
  const mustPaint = state.files < count
  if (!mustPaint && (await countStatus(db.query, state.real, 'processing')) === 0) return state
  // A separate queue that ends here: the copies' jobs are left for the server.
  const queue = createQueue(db, clock, noopLog)
  handlePrepareJobs(queue, { ...deps, queue })
  await queue.start({ quick: tools.filesAtOnce, slow: 1 })
  try {
    const painted = mustPaint ? await addRealFiles({ ...deps, queue }, state, count) : state
    await untilPrepared(deps, painted.real)
    return painted
  } finally {
    await queue.stop()
  }
}

/** Adds painted files up to `count`, by the same code as an upload. */
async function addRealFiles(deps: SeedDeps, state: SeedState, count: number): Promise<SeedState> {
  const { db, clock, out, signal } = deps
  const found = await deps.tools.ffmpeg()
  const ffmpeg = found && canTranscode(found) ? found : undefined
  const progress = showProgress(out, 'Painting', { files: count - state.files, bytes: 0 })
  for (const file of tellStory(state.files, count, new Date(clock()))) {
    signal.throwIfAborted()
    const painted = { ...file, scene: sceneOfReal(file.number) }
    const id = await deps.scratch.withFolder(folder => addReal(deps, painted, ffmpeg, folder))
    state = { files: file.number + 1, real: [...state.real, id] }
    const now = state
    await db.transaction(tx => writeState(tx, now))
    progress.add(1, 0)
  }
  progress.end()
  return state
}

/** Waits until the queue has prepared all of these files. */
async function untilPrepared({ db, out, signal }: SeedDeps, ids: readonly number[]): Promise<void> {
  const waiting = await countStatus(db.query, ids, 'processing')
  if (waiting === 0) return
  const progress = showProgress(out, 'Preparing', { files: waiting, bytes: 0 })
  try {
    for (let left = waiting; left > 0; ) {
      await pause(200, undefined, { signal })
      const now = await countStatus(db.query, ids, 'processing')
      progress.add(left - now, 0)
      left = now
    }
  } finally {
    progress.end()
  }
}

async function addReal(
  deps: SeedDeps,
  file: StoryFile,
  ffmpeg: FoundFfmpeg | undefined,
  folder: RootFolder,
): Promise<number> {
  const { path, ending } = await produce(file, ffmpeg, folder)
  const name = `${file.name}.${ending}`
  const { size } = await stat(path)
  const original = { name, path, size, hash: await hashFile(path) }
  const folderId = await deps.folderFor(file.folders)
  const result = await storeUpload(
    { ...deps, prepare: enqueuePrepare.bind(null, deps.queue) },
    {
      name,
      original,
      format: await checkOriginal(deps, { name, original, folderId }),
      metadata: file.metadata,
      folderId,
      fileDate: Date.parse(`${file.taken.local}Z`),
      uploaderId: deps.relativeIds[file.uploader] ?? 0,
      converted: undefined,
      pictures: noPictures,
    },
  )
  return mediaIdOf(result)
}

/** Mostly JPEGs; sometimes a PNG, a WebP or, if ffmpeg is installed, a video. */
async function produce(file: StoryFile, ffmpeg: FoundFfmpeg | undefined, folder: RootFolder) {
  if (ffmpeg && file.number % 30 === 7) return { path: await film(file, ffmpeg, folder), ending: 'mp4' }
  const format: PaintedFormat = file.number % 24 === 5 ? 'png' : file.number % 24 === 11 ? 'webp' : 'jpeg'
  const ending = format === 'jpeg' ? 'jpg' : format
  const path = pathBelow(folder, newName())
  await writeFile(path, await paint(file, format))
  return { path, ending }
}

const SECONDS = 3

/** A short video that zooms slowly into a painted picture, with a quiet tone. */
async function film(file: StoryFile, ffmpeg: Ffmpeg, folder: RootFolder): Promise<SafePath> {
  const still = pathBelow(folder, 'still.jpg')
  const path = pathBelow(folder, 'film.mp4')
  await writeFile(still, await paint(file, 'jpeg'))
  const taken = file.metadata?.dateTimeOriginal ? ['-metadata', `creation_time=${file.taken.local}Z`] : []
  await promisify(execFile)(ffmpeg.path, [
    ...['-nostdin', '-loglevel', 'error', '-y', '-i', still],
    ...['-f', 'lavfi', '-i', `sine=frequency=${220 + (file.number % 5) * 55}:duration=${SECONDS}`],
    ...['-vf', `zoompan=z='1+on/400':d=${SECONDS * 25}:s=960x540:fps=25,format=yuv420p`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-c:a', 'aac', '-b:a', '48k', '-af', 'volume=0.05'],
    ...['-shortest', '-movflags', '+faststart', ...taken, path],
  ])
  return path
}
