import { once } from 'node:events'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { sandboxHere } from '../../../test/processing/sandbox.ts'
import { h264, h264AndAac, openClipFolder, PATIENCE, picture, sound } from '../../../test/processing/video-clips.ts'
import { ProcessingError } from '../errors.ts'
import { convertVideo } from './convert.ts'
import { planConversion } from './playback.ts'
import { makePoster } from './poster.ts'
import { probeVideo } from './probe.ts'

vi.setConfig(PATIENCE)
const clipFolder = await openClipFolder(sandboxHere)
const { make, at } = clipFolder
const someoneElses = await make('secret.ts', ...picture(), ...h264, '-f', 'mpegts')
const clip = await make('clip.mkv', ...picture(), ...sound(), ...h264AndAac)

let fetched = 0
const server = createServer((_request, response) => {
  fetched++
  response.end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo

afterAll(async () => {
  server.close()
  await clipFolder[Symbol.asyncDispose]()
})

const playlist = (target: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${target}\n#EXT-X-ENDLIST\n`

test.each([
  ['a playlist that names a file', playlist(someoneElses)],
  ['a playlist that names an address', playlist(`http://127.0.0.1:${port}/segment.ts`)],
  ['a concatenation script', `ffconcat version 1.0\nfile '${someoneElses}'\n`],
  ['a session description', `v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${port} RTP/AVP 96\n`],
  [
    'a DASH manifest',
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>http://127.0.0.1:${port}/</BaseURL></MPD>`,
  ],
  ['an SVG', `<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1:${port}/x.png"/></svg>`],
  ['nothing at all', ''],
])('%s in place of a video is refused and opens nothing else', async (_name, content) => {
  const path = at('playlist.mp4')
  await writeFile(path, content)
  await expect(probeVideo(path, clipFolder)).rejects.toMatchObject({ failure: 'unreadable' })
  expect(fetched).toBe(0)
})

test('a MOV that points to pictures in another file shows none of them', async () => {
  const secret = await make('secret.mov', ...picture(), ...h264)
  const path = at('pointing.mov')
  await writeFile(path, pointElsewhere(await readFile(secret), secret))
  // Proves that the trap works: an ffmpeg with these options follows the reference.
  await make('followed.mkv', '-enable_drefs', '1', '-use_absolute_path', '1', '-i', path, '-c', 'copy')

  const outcome = probeVideo(path, clipFolder).then(probe =>
    makePoster({ ...clipFolder, path, probe, outPath: at('x.jpg') }),
  )
  await expect(outcome).rejects.toBeInstanceOf(ProcessingError)
})

test.each(['-version.mkv', 'concat:a|b.mkv', "it's $(here) %03d 😀.mkv"])('a file may be called "%s"', async name => {
  const path = at(name)
  await copyFile(clip, path)
  const probe = await probeVideo(path, clipFolder)
  const outPath = `${path}.mp4`
  const plan = { act: 'rewrap', sound: 'copy' } as const
  expect(await convertVideo({ ...clipFolder, path, probe, plan, outPath })).toMatchObject({ act: 'rewrap' })
})

test('sound alone is not a video, with or without a cover', async () => {
  const message = 'The file holds sound, but no moving picture.'
  const alone = await make('sound.m4a', ...sound())
  await expect(probeVideo(alone, clipFolder)).rejects.toMatchObject({ failure: 'unreadable', message })
  const cover = ['-map', '0', '-map', '1', '-frames:v', '1', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic']
  const covered = await make('covered.m4a', ...sound(), ...picture(), ...cover)
  await expect(probeVideo(covered, clipFolder)).rejects.toMatchObject({ failure: 'unreadable', message })
})

test('a picture of a size made to exhaust the memory is refused', async () => {
  const path = await make('bomb.avi', ...picture(), '-c:v', 'rawvideo', '-pix_fmt', 'bgr24')
  const bytes = await readFile(path)
  const format = bytes.indexOf('strf') + 8
  bytes.writeInt32LE(65_000, format + 4)
  bytes.writeInt32LE(65_000, format + 8)
  await writeFile(path, bytes)
  await expect(probeVideo(path, clipFolder)).rejects.toMatchObject({ failure: 'too_large' })
})

test.each(['.mkv', '.ts', '.avi'])('a damaged %s file either works or fails with a sentence', async extension => {
  const codecs = extension === '.avi' ? ['-c:v', 'mpeg4', '-c:a', 'mp2'] : h264AndAac
  const path = await make(`damaged${extension}`, ...picture(), ...sound(), ...codecs)
  await writeFile(path, damage(await readFile(path)))
  const failure = await processWhole(path).catch((error: unknown) => error)
  if (failure === undefined) return
  expect(failure).toBeInstanceOf(ProcessingError)
  expect(failure).toHaveProperty('message', expect.stringMatching(/^[A-Z].*\.$/))
})

async function processWhole(path: string): Promise<void> {
  const probe = await probeVideo(path, clipFolder)
  await makePoster({ ...clipFolder, path, probe, outPath: `${path}.jpg` })
  const plan = planConversion(probe)
  if (plan.act !== 'plays') await convertVideo({ ...clipFolder, path, probe, plan, outPath: `${path}.mp4` })
}

/** Flips some bits, deterministically. */
function damage(bytes: Buffer): Buffer {
  let random = 1
  for (let flips = 0; flips < 40; flips++) {
    random = (random * 48_271) % 0x7fffffff
    const position = random % bytes.length
    bytes.writeUInt8(bytes.readUInt8(position) ^ (1 << (random % 8)), position)
  }
  return bytes
}

/** Makes a MOV read the samples of its first track from another file, like QuickTime's reference movies. */
function pointElsewhere(movie: Buffer, target: string): Buffer {
  const entry = movie.indexOf('url ', movie.indexOf('dref')) - 4
  const alias = aliasTo(target)
  const grown = alias.length - movie.readUInt32BE(entry)
  for (const box of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const size = movie.lastIndexOf(box, entry) - 4
    movie.writeUInt32BE(movie.readUInt32BE(size) + grown, size)
  }
  return Buffer.concat([movie.subarray(0, entry), alias, movie.subarray(entry + movie.readUInt32BE(entry))])
}

/** A Macintosh alias record: a long, empty header, then the absolute path (type 2) and an end marker. */
function aliasTo(target: string): Buffer {
  const head = Buffer.alloc(162)
  const path = Buffer.from(target.length % 2 ? `${target}\0` : target)
  const kindAndLength = Buffer.from([0, 2, path.length >> 8, path.length & 0xff])
  const record = Buffer.concat([head, kindAndLength, path, Buffer.from([0xff, 0xff, 0, 0])])
  record.writeUInt32BE(record.length, 0)
  record.write('alis', 4)
  return record
}
