import { crc32 } from 'node:zlib'
import { openSnapshot, type Snapshot } from '../db/snapshot.sql.ts'
import type { Queue } from '../jobs/queue.ts'
import { toIso } from '../kit/clock.ts'
import { createHasher } from '../processing/hash.ts'
import { chatEntries } from './chats.ts'
import { CHECKSUMS, contentsOf, type ExportedEntry, MARKER, textEntry } from './contents.ts'
import { type ExportRow, findExport, storeChecksum, updateExport } from './exports.sql.ts'
import { type ExportDeps, handleCleanUpOfExports, prepareExport, removeObjects } from './exports.ts'
import { idsToExport, measureExport } from './library.sql.ts'
import { libraryId } from './library-id.sql.ts'
import { PartWriter, type ZippedEntry } from './zip-parts.ts'

export function handleExportJobs(queue: Queue, deps: ExportDeps): void {
  queue.handle(prepareExport, {
    run: ({ id }, { signal }) => prepare(deps, id, signal),
    onFailed: async (tx, { id }) => void (await updateExport(tx, id, { status: 'failed' })),
  })
  handleCleanUpOfExports(queue, deps)
}

/** Lays out the ZIPs of one state of the library. Checksums are computed once for each stored object, so a second time is fast. */
async function prepare(deps: ExportDeps, id: number, signal: AbortSignal): Promise<void> {
  const { config, db, storage, scratch } = deps
  const row = await findExport(db.query, id)
  if (row?.status !== 'preparing') return
  // Of a server that was killed.
  await removeObjects(storage, id)
  const snapshot = await openSnapshot(config)
  try {
    const result = await scratch.withFolder(async folder => {
      const writer = new PartWriter({ folder, storage, exportId: id, partBytes: row.part_bytes })
      const missing = await layOut(deps, row, { snapshot, writer, signal })
      await writer.finish()
      return { missing, parts: JSON.stringify(writer.sizes) }
    })
    const isWanted = await updateExport(db.query, id, { ...result, status: 'ready', progress: 100 })
    if (!isWanted) await removeObjects(storage, id)
  } finally {
    await snapshot.close()
  }
}

/** Returns how many files the library has lost. */
async function layOut(
  deps: ExportDeps,
  row: ExportRow,
  { snapshot, writer, signal }: { snapshot: Snapshot; writer: PartWriter; signal: AbortSignal },
): Promise<number> {
  const { db, exported, clock } = deps
  const chosen = row.media_ids === null ? undefined : new Set<number>(JSON.parse(row.media_ids))
  const ids = (await idsToExport(snapshot)).filter(id => chosen?.has(id) ?? true)
  const total = (await measureExport(snapshot, ids)).bytes
  const checksums: Buffer[] = []
  let [done, missing, toldAt] = [0, 0, 0]
  async function add(group: readonly ExportedEntry[]): Promise<void> {
    signal.throwIfAborted()
    const zipped: ZippedEntry[] = []
    for (const entry of group) {
      const summed = await withChecksums(deps, entry, signal)
      if (!('text' in entry.source)) done += entry.source.size
      if (!summed) {
        missing += 1
        continue
      }
      zipped.push(summed.zipped)
      checksums.push(Buffer.from(`${summed.blake3}  ${summed.zipped.path}\n`))
    }
    await writer.add(zipped)
    if (clock() < toldAt + TELL_EVERY_MS) return
    toldAt = clock()
    await updateExport(db.query, row.id, { progress: Math.min(99, Math.floor((100 * done) / (total + 1))) })
  }
  const isWhole = chosen === undefined
  const files = { snapshot, features: exported, ids, isWhole, title: row.title }
  for await (const group of contentsOf(files)) await add(group)
  if (isWhole) for await (const group of chatEntries(snapshot, row.person_id)) await add(group)
  const finishedAt = toIso(clock())
  const marker = {
    format: 1,
    library: await libraryId(snapshot),
    ...(isWhole ? {} : { only: { files: row.title } }),
    finishedAt,
  }
  await writer.add([
    textIn({ path: CHECKSUMS, source: { text: Buffer.concat(checksums) }, wallClock: 0 }),
    textIn(textEntry({ path: MARKER, text: `${JSON.stringify(marker)}\n` })),
  ])
  return missing
}

const TELL_EVERY_MS = 2_000

function textIn({ path, source, wallClock }: ExportedEntry & { source: { text: Buffer } }): ZippedEntry {
  return { path, wallClock, crc: crc32(source.text), content: source }
}

/** Undefined if the library has lost the file. One with another content than it was uploaded with is in the folder "damaged". */
async function withChecksums(
  { db, storage }: ExportDeps,
  { path, source, wallClock }: ExportedEntry,
  signal: AbortSignal,
): Promise<{ zipped: ZippedEntry; blake3: string } | undefined> {
  if ('text' in source) {
    const hasher = createHasher()
    hasher.update(source.text)
    return { zipped: textIn({ path, source, wallClock }), blake3: hasher.digest() }
  }
  const { key, size, hash } = source
  const stored = await storage.stat(key)
  if (stored?.size !== size) return undefined
  let { crc32: crc, blake3 } = source
  if (crc === null || blake3 === null) {
    ;[crc, blake3] = await sumsOf(storage, key, signal)
    await storeChecksum(db.query, key, { crc32: crc, blake3 })
  }
  const isDamaged = hash !== null && hash !== blake3
  return { zipped: { path: isDamaged ? `damaged/${path}` : path, wallClock, crc, content: { key, size } }, blake3 }
}

async function sumsOf(storage: ExportDeps['storage'], key: string, signal: AbortSignal): Promise<[number, string]> {
  const hasher = createHasher()
  let crc = 0
  for await (const chunk of (await storage.read(key)).stream) {
    signal.throwIfAborted()
    crc = crc32(chunk, crc)
    hasher.update(chunk)
  }
  return [crc, hasher.digest()]
}
