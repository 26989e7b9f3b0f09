import type { Box } from '#contract/iso-boxes.ts'
import { boxesIn, type HeaderBudget } from '../file-window.ts'
import type { SizedFile } from './missing-end.ts'

/** Samples of a chunk whose sizes are added up; further ones would only raise the result. */
const MAX_SAMPLES = 4_096
/** Parts of all items of a HEIF together. Panoramas of 500 megapixels have 2,000 tiles. */
const MAX_EXTENTS = 20_000

/** Where the last chunks of the tracks end; undefined if there are none. */
export async function endOfTracks(
  file: SizedFile,
  movie: Box,
  base: number,
  budget: HeaderBudget,
): Promise<{ end: number | undefined; fragmented: boolean }> {
  let end: number | undefined
  let fragmented = false
  for await (const box of boxesIn(file, movie.start, movie.end, budget)) {
    if (box.type === 'mvex') fragmented = true
    const last = box.type === 'trak' ? await endOfTrack(file, box, budget) : undefined
    if (last !== undefined) end = Math.max(end ?? 0, base + last)
  }
  return { end, fragmented }
}

async function endOfTrack(file: SizedFile, track: Box, budget: HeaderBudget): Promise<number | undefined> {
  const tables = new Map<string, Box>()
  const collect = async (within: Box): Promise<void> => {
    for await (const box of boxesIn(file, within.start, within.end, budget)) {
      if (['mdia', 'minf', 'dinf', 'stbl'].includes(box.type)) await collect(box)
      else tables.set(box.type, box)
    }
  }
  await collect(track)
  const dataReference = tables.get('dref')
  // QuickTime can refer to the data in another file.
  if (dataReference && !(await isInThisFile(file, dataReference))) return undefined
  const chunk = (await lastChunk(file, tables.get('stco'), 4)) ?? (await lastChunk(file, tables.get('co64'), 8))
  if (!chunk) return undefined
  return chunk.offset + (await bytesOfLastChunk(file, chunk.count, tables))
}

async function isInThisFile(file: SizedFile, { start }: Box): Promise<boolean> {
  const flagsOfFirst = await file.bytes(start + 8 + 8, 4)
  return flagsOfFirst.length < 4 || (flagsOfFirst[3] ?? 0) % 2 === 1
}

/** Tables are full boxes: version and flags, then the number of entries. */
async function countOf(file: SizedFile, { start, end }: Box, at: number, entryBytes: number): Promise<number> {
  const head = await file.bytes(start + at, 4)
  const count = head.length < 4 ? 0 : head.readUInt32BE(0)
  return count * entryBytes <= end - start - at - 4 ? count : 0
}

async function lastChunk(
  file: SizedFile,
  table: Box | undefined,
  bytes: 4 | 8,
): Promise<{ offset: number; count: number } | undefined> {
  const count = table ? await countOf(file, table, 4, bytes) : 0
  if (!table || count === 0) return undefined
  const offset = numberIn(await file.bytes(table.start + 8 + (count - 1) * bytes, bytes), 0, bytes)
  return { offset, count }
}

async function bytesOfLastChunk(file: SizedFile, chunks: number, tables: Map<string, Box>): Promise<number> {
  const [runs, sizes] = [tables.get('stsc'), tables.get('stsz')]
  const runCount = runs ? await countOf(file, runs, 4, 12) : 0
  if (!runs || !sizes || runCount === 0) return 0
  const run = await file.bytes(runs.start + 8 + (runCount - 1) * 12, 12)
  if (run.length < 12 || run.readUInt32BE(0) > chunks) return 0
  const perChunk = run.readUInt32BE(4)
  const head = await file.bytes(sizes.start + 4, 8)
  if (head.length < 8) return 0
  const [sampleBytes, samples] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  if (sampleBytes > 0) return sampleBytes * Math.min(perChunk, samples)
  const count = await countOf(file, sizes, 8, 4)
  const wanted = Math.min(perChunk, count, MAX_SAMPLES)
  const table = await file.bytes(sizes.start + 12 + (count - wanted) * 4, wanted * 4)
  let bytes = 0
  for (let at = 0; at + 4 <= table.length; at += 4) bytes += table.readUInt32BE(at)
  return bytes
}

/** Where the segments of an index (`sidx`) end. */
export async function endOfSegments(file: SizedFile, { start, end: from, end }: Box): Promise<number | undefined> {
  const head = Buffer.from(await file.bytes(start, 32))
  if (head.length < 32) return undefined
  const wide = head[0] === 0 ? 4 : 8
  const firstAt = 12 + wide
  const firstOffset = numberIn(head, firstAt, wide)
  const countAt = firstAt + wide + 2
  const count = (await file.bytes(start + countAt, 2)).readUInt16BE(0)
  let total = from + firstOffset
  for (let index = 0; index < count; index++) {
    const at = start + countAt + 2 + index * 12
    if (at + 12 > end) return undefined
    total += (await file.bytes(at, 4)).readUInt32BE(0) & 0x7fffffff
  }
  return total
}

/** Where the items of a HEIF (`iloc`) end; undefined if none is at an offset of the file. */
export async function endOfItems(file: SizedFile, { start, end }: Box, base: number): Promise<number | undefined> {
  const head = Buffer.from(await file.bytes(start, 8))
  if (head.length < 8) return undefined
  const version = head[0] ?? 0
  const [offsetBytes, lengthBytes] = nibbles(head[4])
  const [baseBytes, indexBytes] = nibbles(head[5])
  if (![offsetBytes, lengthBytes, baseBytes, indexBytes].every(bytes => [0, 4, 8].includes(bytes))) return undefined
  const idBytes = version < 2 ? 2 : 4
  let at = start + 6
  const next = async (bytes: number) => {
    const value = numberIn(await file.bytes(at, bytes), 0, bytes)
    at += bytes
    return value
  }
  const items = await next(idBytes)
  let last: number | undefined
  let left = MAX_EXTENTS
  for (let item = 0; item < items && at < end && left > 0; item++) {
    await next(idBytes)
    const method = version === 0 ? 0 : (await next(2)) & 0xf
    const isElsewhere = (await next(2)) !== 0 || method !== 0
    const itemBase = await next(baseBytes)
    const extents = await next(2)
    for (let extent = 0; extent < extents && at < end && left-- > 0; extent++) {
      if (version > 0) await next(indexBytes)
      const offset = await next(offsetBytes)
      const length = await next(lengthBytes)
      if (!isElsewhere) last = Math.max(last ?? 0, base + itemBase + offset + length)
    }
  }
  return last
}

function nibbles(byte = 0): [number, number] {
  return [byte >> 4, byte & 0xf]
}

/** 0 beyond the end of a truncated table. */
function numberIn(bytes: Buffer, at: number, length: number): number {
  if (length === 0 || at + length > bytes.length) return 0
  return length === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, length)
}
