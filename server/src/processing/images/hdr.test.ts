import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { hdrColoursOf } from '#contract/hdr-still.ts'
import { makePng } from '../../../test/processing/colour-files.ts'
import { makeHeicGrid } from '../../../test/processing/heic-grid.ts'
import {
  type Colour,
  differenceFromQuadrants,
  drawQuadrants,
  readQuadrants,
} from '../../../test/processing/pictures.ts'
import { sandboxHere } from '../../../test/processing/sandbox.ts'
import { startBench } from '../../../test/processing/start.ts'
import { openClipFolder, PATIENCE } from '../../../test/processing/video-clips.ts'
import type { ImageFormat } from '../formats.ts'
import { makePoster } from '../video/poster.ts'
import { probeVideo } from '../video/probe.ts'

vi.setConfig(PATIENCE)
const { processing, folder } = startBench()
const clipFolder = await openClipFolder(sandboxHere)
afterAll(() => clipFolder[Symbol.asyncDispose]())

const SIZE = { width: 128, height: 64 }
/** A lit face, leaves, sky, and a lamp four times as bright as paper: encoded values, from 0 to 1. */
const patches: Record<'pq' | 'hlg', readonly Colour[]> = {
  pq: [
    [0.52, 0.45, 0.41],
    [0.36, 0.42, 0.28],
    [0.45, 0.52, 0.6],
    [0.72, 0.71, 0.68],
  ],
  hlg: [
    [0.6, 0.48, 0.42],
    [0.3, 0.42, 0.22],
    [0.45, 0.56, 0.7],
    [0.92, 0.9, 0.85],
  ],
}
const transfers = {
  pq: { code: 16, name: 'smpte2084' },
  hlg: { code: 18, name: 'arib-std-b67' },
} as const
type Transfer = keyof typeof transfers

function makeHdrPng(transfer: Transfer): Buffer {
  const at = (x: number, y: number) => patches[transfer][(y < 32 ? 0 : 2) + (x < 64 ? 0 : 1)] ?? []
  const cicp = Buffer.of(9, transfers[transfer].code, 0, 1)
  return makePng({ ...SIZE, channels: 3, bits: 16, at }, { chunks: [['cICP', cicp]] })
}

/** ffmpeg options to encode the PNG without changing its colours. */
function encoding(transfer: Transfer): string[] {
  const { name } = transfers[transfer]
  return [
    ...['-vf', 'scale=out_color_matrix=bt2020:out_range=tv,format=yuv420p10le'],
    ...['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020', '-color_trc', name, '-color_range', 'tv'],
  ]
}

const x265 = ['-c:v', 'libx265', '-x265-params', 'log-level=none:crf=2']

async function savePng(transfer: Transfer): Promise<string> {
  const path = join(folder, `${transfer}.png`)
  writeFileSync(path, makeHdrPng(transfer))
  return path
}

/** The colours of the same patches in the poster of a video. */
async function coloursOfVideo(transfer: Transfer): Promise<Colour[]> {
  const { code, name } = transfers[transfer]
  const tags = `${x265.at(-1)}:colorprim=9:transfer=${code}:colormatrix=9`
  const source = ['-loop', '1', '-t', '1', '-i', await savePng(transfer)]
  const path = await clipFolder.make(`${transfer}.mp4`, ...source, ...encoding(transfer), ...x265.slice(0, -1), tags)
  const probe = await probeVideo(path, clipFolder)
  expect(probe.video.colours).toMatchObject({ transfer: name })
  const outPath = clipFolder.at(`${transfer}.jpg`)
  await makePoster({ ...clipFolder, path, probe, outPath })
  return readQuadrants(outPath)
}

/** The patches as lossless JPEG XL with 16 bits, by libjxl. */
const jxl: Record<Transfer, string> = {
  pq: 'AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAADBanhsY/8KzwX8AOTRAz0GAAAAgAgCAQCQAitZkYKCwj1LAOfKrXYJClD7d0req494d9DBcIfgSWg39GkSjetFD9rVHx8PxoZjbr4El0fI/iF6PUuz1NfpsQ556NITR8//xdkAiEAAJAUFlv/+xrgxuHB3Xb0SAAIgBARAEAgAGIBn+LRcj/vVUZDCHvD1Clfimav1kALXTgpTuPzXembmCpEbIQV9cZsFqZabLBufrnQEAqG9ZYJSkpTMhPcH',
  hlg: 'AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAADFanhsY/8KzwX8AOQZCPQYAAAAAAIIAgEAnAIrWZGCgsI9SwDnyq12CQpQ+3dK3quPeHfQwXCH4EloN/RpEo3rRQ/a1R8fD8aGY26+BJdHyP4hej1Ls9TX6bEOeejSE0fP/8XZAIhAACQFBZb//sa4MbhvN67bVwJAAISAAAgCAQAD7DAAQO6JFHR/zUzrOTOgl8LFVf/FHhTO4A4zO3P4PzNbj+A2LpIK3KRi9SMvgo8qwAh/ky1grPmuj+aqZCbadw==',
}

async function makeStill(transfer: Transfer, format: 'png' | 'avif' | 'heic' | 'jxl'): Promise<Buffer> {
  if (format === 'jxl') return Buffer.from(jxl[transfer], 'base64')
  const png = await savePng(transfer)
  if (format === 'png') return readFileSync(png)
  const frame = ['-i', png, '-frames:v', '1', ...encoding(transfer)]
  if (format === 'avif') {
    const av1 = ['-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '8', '-crf', '2', '-b:v', '0']
    return readFileSync(await clipFolder.make(`${transfer}.avif`, ...frame, ...av1))
  }
  const hevc = readFileSync(await clipFolder.make(`${transfer}.hevc`, ...frame, ...x265, '-f', 'hevc'))
  const { code } = transfers[transfer]
  const colours = { primaries: 9, transfer: code, matrix: 9 }
  return makeHeicGrid(hevc, { columns: 1, rows: 1, tile: SIZE, bits: 10, ...colours })
}

let count = 0
async function makeVariants(format: ImageFormat, content: Buffer) {
  const outDir = join(folder, String(count++))
  mkdirSync(outDir)
  const path = join(outDir, 'upload')
  writeFileSync(path, content)
  return { path, ...(await processing.makeVariants({ path, format, outDir })) }
}

test.each(['pq', 'hlg'] as const)('stills in %s look like a video of the same', async transfer => {
  const expected = await coloursOfVideo(transfer)
  for (const format of ['png', 'avif', 'heic', 'jxl'] as const) {
    const still = await makeStill(transfer, format)
    expect(hdrColoursOf(still), format).toEqual({ transfer, primaries: 'bt2020' })
    const { path, variants } = await makeVariants(format, still)
    // Browsers render HDR differently, so the original is never shown directly.
    expect(variants.map(variant => variant.name)).toContain('full')
    expect(await processing.measure({ path, format })).toMatchObject({ ...SIZE, hdr: true })
    for (const variant of variants) {
      const colours = await readQuadrants(variant.path)
      const off = colours.flatMap((colour, at) => colour.map((part, i) => Math.abs(part - (expected[at]?.[i] ?? 0))))
      expect(Math.max(...off), `${format} ${variant.name}`).toBeLessThanOrEqual(8)
    }
  }
})

test('an ordinary picture is not taken for HDR', async () => {
  for (const format of ['png', 'avif', 'jpeg'] as const) {
    expect(hdrColoursOf(await drawQuadrants(64, 32).toFormat(format).toBuffer()), format).toBeUndefined()
  }
})

test('a damaged description of colours is answered without an error', async () => {
  for (const format of ['heic', 'jxl'] as const) {
    const still = await makeStill('pq', format)
    for (let length = 0; length < still.length; length += 3) hdrColoursOf(still.subarray(0, length))
    for (let at = 0; at + 4 <= still.length; at++) hdrColoursOf(Buffer.from(still).fill(0xff, at, at + 4))
  }
  expect(hdrColoursOf(Buffer.alloc(0))).toBeUndefined()
})

test('an Ultra HDR photo shows its ordinary picture, whatever its gain map holds', async () => {
  const gainMap = await sharp({ create: { width: 32, height: 16, channels: 3, background: 'white' } })
    .jpeg()
    .toBuffer()
  const xmp = (attributes: string, content = '') =>
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ${attributes}>${content}</rdf:Description></rdf:RDF></x:xmpmeta>`
  const hdrgm = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"'
  const container =
    'xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"'
  const items = `<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="${gainMap.length}"/></rdf:li></rdf:Seq></Container:Directory>`
  const base = await drawQuadrants(320, 160)
    .withXmp(xmp(`${hdrgm} ${container}`, items))
    .jpeg({ quality: 95 })
    .toBuffer()
  const photo = Buffer.concat([base, gainMap])
  const { path, variants, damaged } = await makeVariants('jpeg', photo)
  expect(damaged).toBe(false)
  for (const variant of variants) expect(differenceFromQuadrants(await readQuadrants(variant.path))).toBeLessThan(8)
  expect(readFileSync(path)).toEqual(photo)
})
