import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exiftoolPath } from 'exiftool-vendored'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import {
  deepXmp,
  gifOfFrames,
  hiddenDepth,
  pngWithXmp,
  pngWithXmpInExif,
  pngWithXmpProfile,
} from '../../test/fixtures/bombs.ts'
import { isRunning } from '../../test/is-running.ts'
import { drawPhoto, makeCrw } from '../../test/processing/pictures.ts'
import { startMetadataReader } from './exiftool.ts'
import { noMetadata } from './metadata.ts'
import { partialSandbox } from './sandbox/sandbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-exiftool-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function photo(): Promise<string> {
  const path = join(folder, 'photo.jpg')
  writeFileSync(
    path,
    await sharp({ create: { width: 4, height: 3, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer(),
  )
  return path
}

function start(program: string) {
  const [warnings, logged]: [string[], string[]] = [[], []]
  const warn = (sentence: string) => warnings.push(sentence)
  const log = (sentence: string) => logged.push(sentence)
  const reader = startMetadataReader({ warn, log, program, timeoutMs: 1_000 })
  return { reader, warnings, logged }
}

test('where exiftool cannot run, photos are taken in all the same, and the log says so once', async () => {
  const { reader, warnings } = start(join(folder, 'no-exiftool'))
  const path = await photo()
  expect(await reader.read(path)).toEqual(noMetadata)
  expect(await reader.read(path)).toEqual(noMetadata)
  await expect(reader.extractPreview(path, join(folder, 'preview.jpg'))).rejects.toMatchObject({
    failure: 'crashed',
    message: 'The preview inside this RAW file could not be taken out.',
  })
  expect(warnings).toEqual(['exiftool cannot run here (it needs perl): dates and places of photos will be missing.'])
  await reader.close()
})

test('an exiftool that hangs is given up on', async () => {
  const program = join(folder, 'hanging-exiftool')
  writeFileSync(program, '#!/bin/sh\n[ "$3" = -ver ] && echo 13.0 && exit\nexec sleep 60\n', { mode: 0o755 })
  const { reader, warnings, logged } = start(program)
  expect(await reader.read(await photo())).toEqual(noMetadata)
  expect(logged).toEqual(['The metadata of a file could not be read.'])
  expect(warnings).toEqual([])
  await reader.close()
})

test('a file that takes too long is read twice, no more, and keeps no other file waiting', async () => {
  // Simulates a file that makes exiftool hang: it hangs at this name and reads all others.
  const program = join(folder, 'slow-exiftool')
  const attempts = join(folder, 'slow-attempts')
  const real = await exiftoolPath()
  writeFileSync(
    program,
    `#!/usr/bin/env perl
if ("@ARGV" =~ /-ver/) { print "13.0\\n"; exit }
open(my $tool, '|-', '${real}', @ARGV) or die;
$tool->autoflush(1);
while (<STDIN>) { if (/hangs/) { open(my $mark, '>>', '${attempts}'); print $mark 'x'; close $mark; sleep 60 } print $tool $_ }
`,
    { mode: 0o755 },
  )
  const warnings: string[] = []
  const reader = startMetadataReader({
    warn: sentence => warnings.push(sentence),
    log: () => undefined,
    program,
    timeoutMs: 5_000,
    processes: 2,
  })
  const path = await photo()
  const hanging = join(folder, 'hangs.jpg')
  copyFileSync(path, hanging)
  let slow = true
  const stuck = reader.read(hanging).finally(() => {
    slow = false
  })
  expect((await reader.read(path)).metadata).toMatchObject({ originalWidth: 4 })
  expect(slow).toBe(true)
  expect(await stuck).toEqual(noMetadata)
  expect(readFileSync(attempts, 'latin1')).toBe('xx')
  await expect(reader.extractPreview(hanging, join(folder, 'preview.jpg'))).rejects.toMatchObject({
    failure: 'time',
    isRetryable: false,
  })
  expect((await reader.read(path)).metadata).toMatchObject({ originalWidth: 4 })
  await reader.close()
}, 120_000)

test('metadata that would fill the memory of the server is not taken', async () => {
  const path = join(folder, 'long.png')
  // The padding compresses to a few kilobytes.
  writeFileSync(path, await pngWithXmp(describedAs('x'.repeat(6_000_000))))
  const logged: string[] = []
  const reader = startMetadataReader({ warn: () => undefined, log: sentence => logged.push(sentence) })
  expect((await reader.read(path)).description?.length).toBeUndefined()
  expect(logged).toEqual(['The metadata of a file could not be read.'])
  // Other files are still read, however many there are.
  writeFileSync(path, await pngWithXmp(describedAs('x'.repeat(1_000_000))))
  for (let nth = 0; nth < 5; nth++) expect((await reader.read(path)).description?.length).toBe(1_000_000)
  await reader.close()
}, 60_000)

test("a description with exiftool's own mark for the end of an answer is a description", async () => {
  const path = join(folder, 'ready.png')
  const reader = startMetadataReader({ warn: () => undefined, log: () => undefined })
  // With padding, so that its end arrives in another chunk than its beginning.
  for (const text of ['{ready}', '{ready}\n{ready}\nA', `{ready}${'x'.repeat(300_000)}`]) {
    writeFileSync(path, await pngWithXmp(describedAs(text)))
    const { description, metadata } = await reader.read(path)
    expect(metadata).toMatchObject({ originalWidth: 64 })
    expect(description === text).toBe(true)
    expect((await reader.read(await photo())).metadata).toMatchObject({ originalWidth: 4 })
  }
  await reader.close()
}, 60_000)

test('answers whose end arrives by itself do not add up to one that is too large', async () => {
  const program = join(folder, 'split-exiftool')
  writeFileSync(
    program,
    `#!/usr/bin/env perl
if ("@ARGV" =~ /-ver/) { print "13.0\\n"; exit }
$| = 1;
my @input;
while (<STDIN>) {
  push @input, $_;
  next unless /^-execute/;
  if (grep { /^-ver/ } @input) { print "13.0\\n" }
  else { print '[{"SourceFile":"x","EXIF:Make":"' . ('x' x 1_500_000) . '"}]' . "\\n" }
  @input = ();
  select(undef, undef, undef, 0.2);
  print "{ready}\\n";
}
`,
    { mode: 0o755 },
  )
  const logged: string[] = []
  const reader = startMetadataReader({ warn: () => undefined, log: sentence => logged.push(sentence), program })
  for (let nth = 0; nth < 4; nth++) await reader.read(await photo())
  expect(logged).toEqual([])
  await reader.close()
}, 60_000)

function describedAs(text: string): Buffer {
  const namespaces = `xmlns:x="adobe:ns:meta/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"`
  const value = `<rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt>`
  const description = `<dc:description xmlns:dc="http://purl.org/dc/elements/1.1/">${value}</dc:description>`
  return Buffer.from(
    `<x:xmpmeta ${namespaces}><rdf:RDF><rdf:Description>${description}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  )
}

/** An exiftool that runs `perl` for each input line before passing it to the real one. */
async function exiftoolWith(name: string, perl: string): Promise<string> {
  const program = join(folder, name)
  writeFileSync(
    program,
    `#!/usr/bin/env perl
if ("@ARGV" =~ /-ver/) { print "13.0\\n"; exit }
my $pid = open(my $tool, '|-', '${await exiftoolPath()}', @ARGV) or die;
$tool->autoflush(1);
while (<STDIN>) { ${perl}; print $tool $_ }
`,
    { mode: 0o755 },
  )
  return program
}

test('an exiftool that ends in the middle of a file is started again, and the file read once more', async () => {
  const died = join(folder, 'died')
  const dieOnce = `if (/fragile/ && !-e '${died}') { open(my $mark, '>', '${died}'); kill 9, $pid; kill 9, $$ }`
  const program = await exiftoolWith('dying-exiftool', dieOnce)
  const logged: string[] = []
  const reader = startMetadataReader({ warn: () => undefined, log: sentence => logged.push(sentence), program })
  const path = join(folder, 'fragile.jpg')
  copyFileSync(await photo(), path)
  expect((await reader.read(path)).metadata).toMatchObject({ originalWidth: 4 })
  expect(logged).toEqual(['exiftool ended while it read a file, which is read once more.'])

  rmSync(died)
  const raw = join(folder, 'fragile.crw')
  const preview = await (await drawPhoto(300, 200)).jpeg().toBuffer()
  writeFileSync(raw, makeCrw(preview, await (await drawPhoto(60, 40)).jpeg().toBuffer()))
  const target = join(folder, 'fragile-preview.jpg')
  await reader.extractPreview(raw, target)
  expect(readFileSync(target).equals(preview)).toBe(true)
  expect(logged).toHaveLength(2)
  await reader.close()
}, 60_000)

test('an exiftool that times out once is started again, and the file read once more', async () => {
  const slept = join(folder, 'slept')
  const sleepOnce = `if (/busy/ && !-e '${slept}') { open(my $mark, '>', '${slept}'); sleep 60 }`
  const program = await exiftoolWith('busy-exiftool', sleepOnce)
  const logged: string[] = []
  const log = (sentence: string) => logged.push(sentence)
  const reader = startMetadataReader({ warn: () => undefined, log, program, timeoutMs: 5_000 })
  const path = join(folder, 'busy.jpg')
  copyFileSync(await photo(), path)
  expect((await reader.read(path)).metadata).toMatchObject({ originalWidth: 4 })
  expect(logged).toEqual(['exiftool timed out while it read a file, which is read once more.'])
  await reader.close()
}, 60_000)

test('a file that ends every exiftool is read twice, no more', async () => {
  const attempts = join(folder, 'attempts')
  const dieAlways = `if (/deadly/) { open(my $mark, '>>', '${attempts}'); print $mark 'x'; close $mark; kill 9, $pid; kill 9, $$ }`
  const program = await exiftoolWith('mortal-exiftool', dieAlways)
  const reader = startMetadataReader({ warn: () => undefined, log: () => undefined, program })
  const path = join(folder, 'deadly.jpg')
  copyFileSync(await photo(), path)
  expect(await reader.read(path)).toEqual(noMetadata)
  expect(readFileSync(attempts, 'latin1')).toBe('xx')
  expect((await reader.read(await photo())).metadata).toMatchObject({ originalWidth: 4 })
  await reader.close()
}, 60_000)

test('a file that takes too much memory is not read again', async () => {
  const attempts = join(folder, 'large-attempts')
  const swell = `if (/large/) { open(my $mark, '>>', '${attempts}'); print $mark 'x'; close $mark; my $size = 3e8; our $much = 'x' x $size; sleep 60 }`
  const program = await exiftoolWith('swelling-exiftool', swell)
  const reader = startMetadataReader({ warn: () => undefined, log: () => undefined, program, memoryMb: 200 })
  const path = join(folder, 'large.jpg')
  copyFileSync(await photo(), path)
  expect(await reader.read(path)).toEqual(noMetadata)
  expect(readFileSync(attempts, 'latin1')).toBe('x')
  await reader.close()
}, 60_000)

test('the preview inside a CRW is found after its metadata was read by the same process', async () => {
  const reader = startMetadataReader({ warn: () => undefined, log: () => undefined })
  const path = join(folder, 'canon.crw')
  const preview = await (await drawPhoto(300, 200)).jpeg().toBuffer()
  writeFileSync(path, makeCrw(preview, await (await drawPhoto(60, 40)).jpeg().toBuffer()))
  expect((await reader.read(path)).metadata).toMatchObject({ make: 'Canon' })
  for (const target of ['first', 'second'].map(name => join(folder, `${name}-preview.jpg`))) {
    await reader.extractPreview(path, target)
    expect(readFileSync(target).equals(preview)).toBe(true)
  }
  await reader.close()
})

test('an exiftool that writes something other than a file is ended, and no other file is lost by it', async () => {
  // Simulates an exiftool under hostile control: it returns its pid as the camera maker, and a symlink as a preview.
  const program = join(folder, 'hostile-exiftool')
  writeFileSync(
    program,
    `#!/usr/bin/env perl
if ("@ARGV" =~ /-ver/) { print "13.0\\n"; exit }
$| = 1;
my ($pid, @args) = ($$);
while (<STDIN>) {
  chomp;
  push @args, $_;
  next unless /^-execute/;
  my ($source) = grep { m{^/.*/in/} } @args;
  my ($target) = grep { m{^/.*/out/} } @args;
  sleep 2 if $source =~ /slow$/;
  if ("@args" =~ /-ver/) { print "13.0\\n" }
  elsif ($target) { symlink('/etc/passwd', $target); print "1 output files created\\n" }
  else { print qq([{"SourceFile":"$source","EXIF:Make":"$pid","EXIF:PreviewImage":"(Binary data 99 bytes)"}]\\n) }
  @args = ();
  print "{ready}\\n";
}
`,
    { mode: 0o755 },
  )
  const exchanges = join(folder, 'exchanges')
  const log = () => undefined
  const sandbox = partialSandbox(exchanges)
  const reader = startMetadataReader({ warn: log, log, program, processes: 2, timeoutMs: 10_000, sandbox })
  const path = await photo()
  const slow = join(folder, 'photo.slow')
  copyFileSync(path, slow)
  const makerOf = async (file: string) => Number((await reader.read(file)).metadata.make)

  const first = await makerOf(path)
  expect(isRunning(first)).toBe(true)
  const [exchange] = readdirSync(exchanges)
  const waiting = makerOf(slow)
  const target = join(folder, 'stolen.jpg')
  await expect(reader.extractPreview(path, target)).rejects.toMatchObject({ failure: 'crashed' })
  expect(existsSync(target)).toBe(false)
  await vi.waitFor(() => expect(isRunning(first)).toBe(false), { timeout: 15_000 })
  // Its exchange folder is removed after it has ended.
  await vi.waitFor(() => expect(readdirSync(exchanges)).toEqual([expect.not.stringMatching(exchange ?? '')]), {
    timeout: 15_000,
  })
  expect(isRunning(await waiting)).toBe(true)
  await reader.close()
  expect(readdirSync(exchanges)).toEqual([])
}, 60_000)

const containers: [string, (xmp: Buffer) => Buffer | Promise<Buffer>][] = [
  ['PNG', pngWithXmp],
  ['JPEG in pieces', jpegWithXmp],
  ['WebP', xmp => picture().withXmp(xmp.toString()).webp().toBuffer()],
  ['GIF', gifWithXmp],
  ['TIFF', xmp => picture().withXmp(xmp.toString()).tiff().toBuffer()],
  ['AVIF', xmp => picture().withXmp(xmp.toString()).avif({ effort: 0 }).toBuffer()],
  ['PNG as a raw profile', pngWithXmpProfile],
  ['PNG as a field of its EXIF', pngWithXmpInExif],
  ['MP4', xmp => isoFile('mp42', 'uuid', Buffer.concat([Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), xmp]))],
  ['JPEG XL', xmp => Buffer.concat([Buffer.from('0000000c4a584c200d0a870a', 'hex'), isoFile('jxl ', 'xml ', xmp)])],
]

function picture() {
  return sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
}

/** XMP with a camera maker and other elements. */
function xmpWith(inner: string): Buffer {
  const described = '<rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/"><tiff:Make>Canon</tiff:Make>'
  return Buffer.from(
    deepXmp(0)
      .toString()
      .replace('<rdf:Description>', described + inner),
  )
}

/** The minimum of three durations in milliseconds, which is least affected by other load. */
async function fastest(work: () => Promise<unknown>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let round = 0; round < (process.env.LONG ? 3 : 1); round++) {
    const begun = performance.now()
    await work()
    shortest = Math.min(shortest, performance.now() - begun)
  }
  return shortest
}

test.each(containers)(
  'XMP in a %s is read, and one that is nested thousands of times costs no time',
  async (_what, make) => {
    const reader = startMetadataReader({ warn: () => undefined, log: () => undefined })
    const path = join(folder, 'deep')
    const nested = (depth: number) => xmpWith('<a>'.repeat(depth) + '</a>'.repeat(depth))
    writeFileSync(path, await make(nested(3)))
    expect((await reader.read(path)).metadata).toMatchObject({ make: 'Canon' })
    const timeOf = async (depth: number) => {
      writeFileSync(path, await make(nested(depth)))
      return fastest(async () => expect((await reader.read(path)).metadata.make).toBeNull())
    }
    // Without a depth limit this takes minutes, and four times as long for double the depth.
    const time = await timeOf(20_000)
    if (process.env.LONG) expect(time).toBeLessThan(3 * (await timeOf(10_000)) + 500)
    await reader.close()
  },
  60_000,
)

test.each(Object.entries(hiddenDepth))(
  'XMP costs no time where its depth is hidden by %s',
  async (_what, hide) => {
    const logged: string[] = []
    const reader = startMetadataReader({ warn: () => undefined, log: sentence => logged.push(sentence) })
    const path = join(folder, 'hidden')
    const timeOf = async (depth: number) => {
      writeFileSync(path, await pngWithXmp(xmpWith(hide(depth))))
      return fastest(() => reader.read(path))
    }
    const time = await timeOf(20_000)
    if (process.env.LONG) expect(time).toBeLessThan(3 * (await timeOf(10_000)) + 500)
    expect(logged).toEqual([])
    await reader.close()
  },
  60_000,
)

test('XMP that comments, CDATA and processing instructions are part of is read', async () => {
  const reader = startMetadataReader({ warn: () => undefined, log: () => undefined })
  const path = join(folder, 'comments')
  const inner = `<!-- ${'<a>'.repeat(100)} --><a><![CDATA[${'</b>'.repeat(100)}]]></a><?b c?>${'<a x="y"/>'.repeat(100)}`
  writeFileSync(path, await pngWithXmp(xmpWith(inner)))
  expect((await reader.read(path)).metadata).toMatchObject({ make: 'Canon' })
  await reader.close()
})

/** XMP beyond 64 KB: a packet that names the pieces, which follow in segments of their own. */
async function jpegWithXmp(xmp: Buffer): Promise<Buffer> {
  const jpeg = await picture().jpeg().toBuffer()
  const guid = createHash('md5').update(xmp).digest('hex').toUpperCase()
  const note = `<rdf:Description xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="${guid}"/>`
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${note}</rdf:RDF>`
  const segments = [app1(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdf}</x:xmpmeta>`)]
  for (let at = 0; at < xmp.length; at += 65_000) {
    const position = Buffer.alloc(8)
    position.writeUInt32BE(xmp.length)
    position.writeUInt32BE(at, 4)
    segments.push(app1(`http://ns.adobe.com/xmp/extension/\0${guid}`, position, xmp.subarray(at, at + 65_000)))
  }
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

function app1(signature: string, ...content: Buffer[]): Buffer {
  const data = Buffer.concat([Buffer.from(signature, 'latin1'), ...content])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A GIF contains the XMP verbatim, followed by a table of lengths that makes parsers find its end. */
async function gifWithXmp(xmp: Buffer): Promise<Buffer> {
  const gif = gifOfFrames(1)
  const table = Buffer.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0])
  const block = Buffer.concat([Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'), xmp, table])
  return Buffer.concat([gif.subarray(0, 19), block, gif.subarray(19)])
}

function isoFile(brand: string, type: string, content: Buffer): Buffer {
  const box = (name: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length + 8)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, data])
  }
  return Buffer.concat([box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`, 'latin1')), box(type, content)])
}

test('exiftool ends with the server, even with one that is killed', async () => {
  const program = `
    import { startMetadataReader } from ${JSON.stringify(new URL('exiftool.ts', import.meta.url).href)}
    await startMetadataReader({ warn: console.error, log: console.error }).read(${JSON.stringify(await photo())})
    console.log('It has been read.')
    setInterval(() => {}, 1_000)`
  const server = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  const exiftool = Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8'))
  expect(isRunning(exiftool)).toBe(true)
  server.kill('SIGKILL')
  await vi.waitFor(() => expect(isRunning(exiftool)).toBe(false), { timeout: 15_000, interval: 100 })
})
