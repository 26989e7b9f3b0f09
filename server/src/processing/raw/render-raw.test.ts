import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDng } from '../../../test/processing/dng.ts'
import { type Colour, drawQuadrants, makeCrw, readQuadrants } from '../../../test/processing/pictures.ts'
import { recordAttempts } from '../../../test/processing/record-attempts.ts'
import { sandboxHere } from '../../../test/processing/sandbox.ts'
import { startBench } from '../../../test/processing/start.ts'
import { findProgram } from '../child-process.ts'
import { noSandbox } from '../sandbox/sandbox.ts'
import { openRawRenderer } from './render-raw.ts'

const searchPath = process.env.PATH
const { processing, folder } = startBench({ searchPath })
const log = () => undefined

function write(name: string, bytes: Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

async function variantsOf(path: string, format: 'dng' | 'crw', made = processing) {
  const outDir = join(folder, `out-${readdirSync(folder).length}`)
  mkdirSync(outDir)
  const image = await made.makeVariants({ path, format, outDir })
  return { ...image, colours: await readQuadrants(join(outDir, 'desktop.jpg')), left: readdirSync(outDir).sort() }
}

/** Classifies a colour as red, green, blue or white: LibRaw brightens its output. */
function nameOf([red, green, blue]: Colour): string {
  const strong = [red, green, blue].map(value => value > 150)
  const weak = [red, green, blue].every((value, channel) => strong[channel] || value < 90)
  if (strong.every(Boolean)) return 'white'
  const names = ['red', 'green', 'blue'].filter((_, channel) => strong[channel])
  return weak && names.length === 1 ? (names[0] ?? '') : `${red} ${green} ${blue}`
}

test('a RAW file without a JPEG inside is developed, in its colours', async () => {
  const { width, height, colours, left } = await variantsOf(write('plain.dng', makeDng(300, 200)), 'dng')
  expect({ width, height }).toEqual({ width: 300, height: 200 })
  expect(colours.map(nameOf)).toEqual(['red', 'green', 'blue', 'white'])
  expect(left).toEqual(['desktop.jpg', 'full.jpg', 'mobile.jpg', 'thumbnail.jpg', 'website.jpg'])
})

test('it is turned upright, once', async () => {
  const { width, height, colours } = await variantsOf(write('turned.dng', makeDng(300, 200, 6)), 'dng')
  expect({ width, height }).toEqual({ width: 200, height: 300 })
  expect(colours.map(nameOf)).toEqual(['blue', 'red', 'white', 'green'])
})

test('a small preview is shown where the file itself cannot be developed, after its metadata was read too', async () => {
  const jpeg = (width: number) =>
    drawQuadrants(width, width / 2)
      .jpeg()
      .toBuffer()
  const path = write('canon.crw', makeCrw(await jpeg(640), await jpeg(160)))
  await processing.readMetadata(path)
  const { width, colours } = await variantsOf(path, 'crw')
  expect(width).toBe(640)
  expect(colours.map(nameOf)).toEqual(['red', 'green', 'blue', 'white'])
})

test('where LibRaw is missing the file says that it cannot be shown yet, and is shown once it is installed', async () => {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const bench = startBench({ searchPath: programs })
  const path = write('waits.dng', makeDng(60, 40))
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(variantsOf(path, 'dng', bench.processing)).rejects.toMatchObject({
      failure: 'unsupported',
      isRetryable: false,
      message: "This kind of file can't be shown yet; the original is safe.",
    })
  }
  expect(await bench.processing.rendersRaw()).toBe(false)
  expect(bench.logged).toEqual([expect.stringContaining('apt-get install libraw-bin')])
  symlinkSync((await findProgram('dcraw_emu', searchPath ?? '')) ?? '', join(programs, 'dcraw_emu'))
  expect(await bench.processing.rendersRaw()).toBe(true)
  expect(await variantsOf(path, 'dng', bench.processing)).toMatchObject({ width: 60, height: 40 })
})

test('a RAW file that is cut off is called damaged, and nothing is left of the attempt', async () => {
  const path = write('cut.dng', makeDng(300, 200).subarray(0, 60_000))
  const outDir = join(folder, 'cut')
  await expect(processing.makeVariants({ path, format: 'dng', outDir })).rejects.toMatchObject({
    failure: 'unreadable',
    message: 'The file is damaged and could not be read (its end is missing).',
  })
  expect(readdirSync(outDir)).toEqual([])
})

/** A PATH with a fake `dcraw_emu` that runs `script` for each file. */
function programsWith(script: string): string {
  const programs = join(folder, `fake-${readdirSync(folder).length}`)
  mkdirSync(programs)
  const usage = '[ $# = 0 ] && echo dcraw emulator && exit 1'
  writeFileSync(join(programs, 'dcraw_emu'), `#!/bin/sh\n${usage}\n${script}\n`, { mode: 0o755 })
  return [programs, searchPath].join(delimiter)
}

const noConfinement = { ...sandboxHere, program: (command: readonly string[]) => [...command] }

function rendererWith(script: string, limits = {}) {
  return openRawRenderer({ searchPath: programsWith(script), sandbox: noConfinement, log, ...limits })
}

test('it is limited in time and memory, and a crash is a different failure', async () => {
  const path = write('any.dng', makeDng(60, 40))
  const render = (script: string, limits = {}) => rendererWith(script, limits).render(path, join(folder, 'any.tif'))
  await expect(render('exec sleep 60', { timeoutMs: 1_000 })).rejects.toMatchObject({ failure: 'time' })
  const hoard = `exec perl -e 'my $size = 3e8; my $much = "x" x $size; sleep 60'`
  await expect(render(hoard, { memoryMb: 100 })).rejects.toMatchObject({ failure: 'memory' })
  await expect(render('kill -SEGV $$')).rejects.toMatchObject({ failure: 'crashed' })
  const cancelled = rendererWith('exec sleep 60').render(path, join(folder, 'any.tif'), AbortSignal.timeout(500))
  await expect(cancelled).rejects.toMatchObject({ failure: 'cancelled' })
})

test('it can write no more than its limit, and a picture that was written in part is none', async () => {
  const path = write('long.dng', makeDng(60, 40))
  const target = join(folder, 'long.tif')
  const render = (script: string, limits = {}) => rendererWith(script, limits).render(path, target)
  await expect(render('exec head -c 3000000 /dev/zero >"$6"', { outputMb: 1 })).rejects.toMatchObject({
    failure: 'too_large',
    message: 'Processing was stopped because it wrote more than 1 MB.',
  })
  expect(statSync(target).size).toBe(1024 * 1024)
  // As in the sandbox, where the signal does not terminate it.
  await expect(render(`trap '' XFSZ; head -c 3000000 /dev/zero >"$6"`, { outputMb: 1 })).rejects.toMatchObject({
    failure: 'too_large',
  })
  const real = await findProgram('dcraw_emu', searchPath ?? '')
  const cut = (bytes: string) => `${real} "$@" && truncate -s ${bytes} "$6"`
  await expect(render(cut('-0'))).resolves.toBeUndefined()
  for (const bytes of ['-1', '1000', '5']) {
    await expect(render(cut(bytes))).rejects.toMatchObject({ failure: 'no_space', isRetryable: true })
  }
})

test('a program that was removed, or that cannot be started any more, is not the fault of the file', async () => {
  const programs = join(folder, 'removed')
  mkdirSync(programs)
  const bench = startBench({ searchPath: programs })
  const program = join(programs, 'dcraw_emu')
  symlinkSync((await findProgram('dcraw_emu', searchPath ?? '')) ?? '', program)
  expect(await bench.processing.rendersRaw()).toBe(true)
  rmSync(program)
  const path = write('later.dng', makeDng(60, 40))
  await expect(variantsOf(path, 'dng', bench.processing)).rejects.toMatchObject({ failure: 'unsupported' })
  expect(await bench.processing.rendersRaw()).toBe(false)
  await expect(rendererWith('exec /no/such/program').render(path, join(folder, 'later.tif'))).rejects.toMatchObject({
    failure: 'crashed',
    isRetryable: true,
  })
})

test('files are developed only as many at a time as there is room for large pictures', async () => {
  const [lock, overlap] = [join(folder, 'lock'), join(folder, 'overlap')]
  const script = `mkdir ${lock} || touch ${overlap}; sleep 1; rmdir ${lock}; echo 'Unsupported file format' >&2`
  // exiftool runs without the sandbox here, too.
  const bench = startBench({ searchPath: programsWith(script), sandbox: noSandbox, decoders: 3, largeDecoders: 1 })
  const outcomes = [1, 2, 3].map(ownerId => {
    const path = write(`turn-${ownerId}.dng`, makeDng(60, 40))
    const order = { path, format: 'dng', outDir: join(folder, `turn-${ownerId}`) } as const
    return expect(bench.processing.makeVariants(order, { ownerId })).rejects.toMatchObject({ failure: 'unsupported' })
  })
  await Promise.all(outcomes)
  expect(existsSync(overlap)).toBe(false)
})

test('a large preview that cannot be decoded is tried once, and the reason is the one that may change', async () => {
  const recorded = recordAttempts()
  const bench = startBench({ searchPath: join(folder, 'no-programs'), sandbox: recorded.sandbox })
  const preview = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(80_000, 7)])
  const path = write('broken-preview.crw', makeCrw(preview, Buffer.alloc(0)))
  await expect(variantsOf(path, 'crw', bench.processing)).rejects.toMatchObject({ failure: 'unsupported' })
  expect(recorded.attempts.filter(attempt => basename(attempt.path) === 'preview.jpg')).toHaveLength(1)
})

test('it sees its input and its output and no other file', async () => {
  const seen: string[][] = []
  const watched = {
    ...sandboxHere,
    program(command: readonly string[], files: Parameters<typeof sandboxHere.program>[1]) {
      seen.push([...(files.reads ?? []), ...(files.writes ?? [])])
      return sandboxHere.program(command, files)
    },
  }
  const path = write('confined.dng', makeDng(60, 40))
  const target = join(folder, 'confined.tif')
  await openRawRenderer({ searchPath, sandbox: watched, log }).render(path, target)
  expect(readFileSync(target).length).toBeGreaterThan(60 * 40 * 3)
  expect(seen).toEqual([[], [path, target]])
})
