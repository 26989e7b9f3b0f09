import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { isRunning } from '../../../test/is-running.ts'
import type { misbehaviour } from '../../../test/processing/misbehaving-worker.ts'
import { sandboxHere, sandboxReport } from '../../../test/processing/sandbox.ts'
import type { Targets } from '../../../test/processing/try-everything.ts'
import { h264, openClipFolder, picture } from '../../../test/processing/video-clips.ts'
import { startMetadataReader } from '../exiftool.ts'
import { runFfmpeg } from '../video/run-ffmpeg.ts'
import { startWorkerPool, type WorkerPool } from '../worker-pool.ts'
import { openExchange } from './exchange.ts'
import { noSandbox, partialSandbox, type Sandbox } from './sandbox.ts'

vi.setConfig({ testTimeout: 120_000 })

// Never in /dev/shm, where `npm test` may have its temporary files: the sandbox has a /dev of its own.
const dataFolder = mkdtempSync('/tmp/heirloom-confined-')
const database = join(dataFolder, 'heirloom.db')
const socket = join(dataFolder, 'server.sock')
const newFile = join(dataFolder, 'new')
const photo = join(dataFolder, 'photo.jpg')
const outDir = join(dataFolder, 'made')
writeFileSync(database, 'all the family')
mkdirSync(outDir)
writeFileSync(photo, 'pixels')

let reached = 0
const count = () =>
  createServer(connection => {
    reached++
    connection.destroy()
  })
const listeners = [count().listen(0, '127.0.0.1'), count().listen(socket), count().listen(`\0${socket}`)] as const
await Promise.all(listeners.map(listener => listener.listening || once(listener, 'listening')))
const { port } = listeners[0].address() as AddressInfo
const targets: Targets = { database, dataFolder, port, socket, newFile, serverPid: process.pid }

const everything = [
  'read the database',
  'list the data folder',
  'write a file',
  'write a temporary file',
  "read the server's environment",
  'signal the server',
  'connect to a port',
  'connect to a socket',
  'connect to an abstract socket',
  'read the accounts of the machine',
]

const pools: WorkerPool<typeof misbehaviour>[] = []

function startPool(sandbox: Sandbox, limits = {}): WorkerPool<typeof misbehaviour> {
  const program = new URL('../../../test/processing/misbehaving-worker.ts', import.meta.url)
  const pool = startWorkerPool<typeof misbehaviour>(program, {
    ...{ size: 1, memoryMb: 400, timeoutMs: 30_000, sandbox, ...limits },
  })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map(pool => pool.close()))
  rmSync(newFile, { force: true })
  for (const name of readdirSync(outDir)) rmSync(join(outDir, name), { recursive: true })
})

afterAll(() => {
  for (const listener of listeners) listener.close()
  rmSync(dataFolder, { recursive: true })
  rmSync('/tmp/heirloom-written-from-the-sandbox', { force: true })
})

test('without a sandbox everything that is tried here succeeds', async () => {
  expect(await startPool(noSandbox).run('attack', { path: photo, outDir, targets })).toEqual(everything)
  // The server side counts a connection slightly later than the client.
  await expect.poll(() => reached).toBe(3)
})

test('the partial sandbox keeps our own JavaScript from files, but not from the network', async () => {
  const sandbox = partialSandbox(join(dataFolder, 'exchange'))
  const succeeded = await startPool(sandbox).run('attack', { path: photo, outDir, targets })
  expect(succeeded).toContain('connect to a port')
  expect(succeeded.filter(name => /read|list|write/.test(name))).toEqual([])
})

const { level } = sandboxHere
// Not every kernel lets bubblewrap create namespaces. CI requires it, so that the tests are never skipped there unnoticed.
const isRequired = process.env.SANDBOX_TESTS === 'require'
const cannotRun = level !== 'full' && !isRequired
if (cannotRun) process.stderr.write(`The full sandbox is NOT tested here. ${sandboxReport.warnings.join(' ')}\n`)

test.skipIf(cannotRun)('the full sandbox works here', () => {
  expect({ level, warnings: sandboxReport.warnings }).toEqual({ level: 'full', warnings: [] })
})

describe.skipIf(cannotRun)('a worker in the sandbox', () => {
  test('reaches no other file, no process and no network', async () => {
    reached = 0
    expect(await startPool(sandboxHere).run('attack', { path: photo, outDir, targets })).toEqual([])
    expect(reached).toBe(0)
    expect(existsSync(newFile)).toBe(false)
  })

  test('cannot change what it reads, and sees it only while it works on it', async () => {
    const pool = startPool(sandboxHere)
    expect(await pool.run('overwriteInput', { path: photo })).toBe('EROFS')
    expect(readFileSync(photo, 'utf8')).toBe('pixels')
    expect(await pool.run('listInputs', { path: photo })).toBe(1)
    expect(await pool.run('listInputs', { path: photo })).toBe(1)
  })

  test('has what it wrote moved to where it is wanted', async () => {
    await startPool(sandboxHere).run('writeOutput', { outDir })
    expect(readFileSync(join(outDir, 'desktop.jpg'), 'utf8')).toBe('pixels')
  })

  test('cannot pass off a link to another file as its output', async () => {
    const pool = startPool(sandboxHere)
    await expect(pool.run('plantLink', { outDir, target: database })).rejects.toMatchObject({ failure: 'crashed' })
    await expect(pool.run('insertFolder', { outDir })).rejects.toMatchObject({ failure: 'crashed' })
    expect(readdirSync(outDir)).toEqual([])
    expect(readFileSync(database, 'utf8')).toBe('all the family')
    expect(await pool.run('echo', 'still here')).toBe('still here')
  })

  test('is held to its limits of time and memory, and fails alone', async () => {
    const slow = startPool(sandboxHere, { timeoutMs: 1_500 })
    await expect(slow.run('spin', undefined)).rejects.toMatchObject({ failure: 'time' })
    const greedy = startPool(sandboxHere, { memoryMb: 200 })
    await expect(greedy.run('hoard', undefined)).rejects.toMatchObject({ failure: 'memory' })
    await expect(greedy.run('crash', undefined)).rejects.toMatchObject({ failure: 'crashed' })
    expect(await greedy.run('echo', 'still here')).toBe('still here')
  })

  test.each(['one file', 'many files'] as const)(
    'that writes without end, into %s, does not fill the disk',
    async files => {
      const folder = mkdtempSync(join(dataFolder, 'exchanges-'))
      const sandbox: Sandbox = { ...sandboxHere, openExchange: () => openExchange(folder) }
      const pool = startPool(sandbox, { outputMb: 50, timeoutMs: 90_000 })
      const sizes: number[] = []
      const meter = setInterval(() => sizes.push(megabytesBelow(folder)), 20)
      const failure = files === 'one file' ? 'crashed' : 'too_large'
      try {
        await expect(pool.run('writeForever', { outDir, files })).rejects.toMatchObject({ failure })
      } finally {
        clearInterval(meter)
      }
      expect(Math.max(...sizes)).toBeGreaterThan(20)
      expect(Math.max(...sizes)).toBeLessThan(250)
      expect([megabytesBelow(folder), readdirSync(outDir)]).toEqual([0, []])
      expect(await pool.run('echo', 'still here')).toBe('still here')
    },
  )

  test('ends with the server, even with one that is killed, and yields to it', async () => {
    const server = spawn(process.execPath, ['--input-type=module-typescript', '-e', serverWithSpinningWorker()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(server.stdout, 'data')
    const [wrapper = 0] = childrenOf(server.pid)
    const [worker = 0] = childrenOf(wrapper)
    expect(readFileSync(`/proc/${worker}/cmdline`, 'latin1')).toContain('misbehaving-worker')
    await vi.waitFor(() => expect(readFileSync(`/proc/${worker}/oom_score_adj`, 'latin1')).toBe('1000\n'), 20_000)
    const threads = readdirSync(`/proc/${worker}/task`).map(Number)
    expect(new Set(threads.map(thread => getPriority(thread)))).toEqual(new Set([constants.priority.PRIORITY_LOW]))
    const group = `/proc/${worker}/autogroup`
    if (existsSync(group)) expect(readFileSync(group, 'latin1')).toMatch(/ nice 19$/m)
    server.kill('SIGKILL')
    await vi.waitFor(() => expect([wrapper, worker].filter(isRunning)).toEqual([]), { timeout: 15_000 })
  })
})

describe.skipIf(cannotRun)('exiftool in the sandbox', () => {
  test('reaches no other file, no process and no network', async () => {
    reached = 0
    expect(await hostileExiftool(sandboxHere)).toBe('tried')
    expect(reached).toBe(0)
    // Without a sandbox the same program succeeds, which proves that the test detects it.
    expect(await hostileExiftool(noSandbox)).toBe('tried database folder file environ signal port socket')
    await expect.poll(() => reached).toBe(2)
  })
})

test.each([
  ['in the sandbox', () => sandboxHere],
  ['without one', () => noSandbox],
])('an exiftool that writes without end is stopped %s', async (_where, sandbox) => {
  const program = join(dataFolder, 'writing-exiftool')
  const written = join(outDir, 'preview.jpg')
  writeFileSync(program, writingPerl, { mode: 0o755 })
  const say = () => undefined
  const reader = startMetadataReader({ warn: say, log: say, program, sandbox: sandbox(), outputMb: 20 })
  await expect(reader.extractPreview(photo, written)).rejects.toMatchObject({ failure: 'crashed' })
  expect(megabytesBelow(outDir)).toBeLessThanOrEqual(20)
  await reader.close()
})

test.each([
  ['in the sandbox', () => sandboxHere],
  ['without one', () => noSandbox],
])('an ffmpeg that writes more than it may is stopped %s', async (_where, sandbox) => {
  await using clipFolder = await openClipFolder()
  const out = clipFolder.at('out.raw')
  const args = ['-f', 'lavfi', '-i', 'testsrc=s=1920x1080', '-f', 'rawvideo', '-y', `file:${out}`]
  const tools = { ffmpeg: { ...clipFolder.ffmpeg, sandbox: sandbox() }, limits: { outputMb: 20 } }
  await expect(runFfmpeg(tools, { args, writes: out })).rejects.toMatchObject({
    failure: 'too_large',
    message: 'Processing was stopped because it wrote more than 20 MB.',
  })
  expect(statSync(out).size).toBeLessThanOrEqual(20 * 1024 * 1024)
})

describe.skipIf(cannotRun)('ffmpeg in the sandbox', () => {
  test('leaves no process behind that is cancelled at any moment of its start', async () => {
    await using clipFolder = await openClipFolder()
    const out = clipFolder.at('endless.mkv')
    const ffmpeg = { ...clipFolder.ffmpeg, sandbox: sandboxHere }
    const args = ['-re', ...picture('16x16', 600), '-y', '-f', 'matroska', `file:${out}`]
    for (let run = 0; run < 120; run++) {
      const signal = AbortSignal.timeout(run % 40)
      await expect(runFfmpeg({ ffmpeg, signal }, { args, writes: out })).rejects.toMatchObject({ failure: 'cancelled' })
    }
    await expect.poll(() => processesThatName(out), { timeout: 5_000 }).toEqual([])
  })

  test('reaches no other file and no network, even where its own rules would let it', async () => {
    await using clipFolder = await openClipFolder()
    const secret = await clipFolder.make('secret.ts', ...picture(), ...h264, '-f', 'mpegts')
    const clip = await clipFolder.make('clip.mkv', ...picture(), ...h264)
    const playlist = clipFolder.at('playlist.mp4')
    const entries = [secret, `http://127.0.0.1:${port}/x.ts`].map(entry => `#EXTINF:2,\n${entry}\n`)
    writeFileSync(playlist, `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${entries.join('')}#EXT-X-ENDLIST\n`)
    const out = clipFolder.at('out.mkv')
    const copy = (input: string) => ['-i', input, '-c', 'copy', '-y', '-f', 'matroska']
    const hls = ['-protocol_whitelist', 'file,http,tcp', '-allowed_extensions', 'ALL', '-f', 'hls']
    const attempts: Record<string, { reads: string; args: string[] }> = {
      'another file': { reads: clip, args: [...copy(secret), `file:${out}`] },
      'an address': { reads: clip, args: [...copy(`http://127.0.0.1:${port}/x`), `file:${out}`] },
      'a socket': { reads: clip, args: [...copy(`unix:${socket}`), `file:${out}`] },
      'a playlist': { reads: playlist, args: [...hls, ...copy(playlist), `file:${out}`] },
      'a file to write': { reads: clip, args: [...copy(clip), `file:${newFile}`] },
      'its input to write': { reads: clip, args: [...picture(), ...h264, '-y', `file:${clip}`] },
    }
    const outcomes = async (sandbox: Sandbox) => {
      const done: string[] = []
      for (const [name, run] of Object.entries(attempts)) {
        const before = reached
        const ffmpeg = { ...clipFolder.ffmpeg, sandbox }
        const { ok } = await runFfmpeg({ ffmpeg }, { ...run, writes: out })
        if (ok || reached > before) done.push(name)
      }
      return done
    }
    expect(await outcomes(sandboxHere)).toEqual([])
    expect(existsSync(newFile)).toBe(false)
    expect(await outcomes(noSandbox)).toEqual(Object.keys(attempts))
  })
})

/** The programs whose arguments contain this text. */
function processesThatName(text: string): string[] {
  const commands = readdirSync('/proc').map(pid => {
    const file = `/proc/${pid}/cmdline`
    return /^\d+$/.test(pid) && existsSync(file) ? readFileSync(file, 'latin1') : ''
  })
  return commands.filter(command => command.includes(text))
}

/** A fake exiftool that returns what it could access as the camera maker. */
async function hostileExiftool(sandbox: Sandbox): Promise<unknown> {
  const program = join(dataFolder, 'hostile-exiftool')
  writeFileSync(program, hostilePerl)
  chmodSync(program, 0o755)
  const fail = (sentence: string) => expect.fail(sentence)
  const reader = startMetadataReader({ warn: fail, log: fail, program, sandbox })
  const { metadata } = await reader.read(photo)
  await reader.close()
  rmSync(newFile, { force: true })
  return metadata.make
}

const hostilePerl = `#!/usr/bin/perl
use IO::Socket::INET; use IO::Socket::UNIX;
if ("@ARGV" =~ /-ver/) { print "13.0\\n"; exit }
$| = 1;
my @input;
while (<STDIN>) {
  chomp;
  push @input, $_;
  next unless /^-execute/;
  if (grep { $_ eq '-ver' } @input) { print "13.0\\n" }
  else {
    my @done = ('tried');
    push @done, 'database' if open(my $a, '<', '${database}');
    push @done, 'folder' if opendir(DATA_FOLDER, '${dataFolder}') && grep { /heirloom/ } readdir DATA_FOLDER;
    push @done, 'file' if open(my $c, '>', '${newFile}');
    push @done, 'environ' if open(my $d, '<', '/proc/${process.pid}/environ');
    push @done, 'signal' if kill 'CONT', ${process.pid};
    push @done, 'port' if IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => ${port});
    push @done, 'socket' if IO::Socket::UNIX->new(Peer => '${socket}');
    my ($source) = grep { m{^/} } @input;
    die 'the input cannot be read' unless open(my $e, '<', $source);
    print qq([{"SourceFile":"$source","EXIF:Make":"@done"}]\\n);
  }
  @input = ();
  print "{ready}\\n";
}
`

/** A fake exiftool that writes endlessly to the preview's path. */
const writingPerl = `#!/usr/bin/perl
if ("@ARGV" =~ /-ver/) { print "13.0\\n"; exit }
$| = 1;
my @input;
while (<STDIN>) {
  chomp;
  push @input, $_;
  next unless /^-execute/;
  my ($target) = grep { m{/(out|made)/} } @input;
  my ($source) = grep { m{^/} } @input;
  if (grep { $_ eq '-ver' } @input) { print "13.0\\n" }
  elsif ($target) { open(my $out, '>', $target) or die; for (1 .. 100_000) { print $out 'x' x 1_000_000 or die } }
  else { print qq([{"SourceFile":"$source","EXIF:PreviewImage":"(Binary data 99 bytes)"}]\\n) }
  @input = ();
  print "{ready}\\n";
}
`

function megabytesBelow(folder: string): number {
  const files = namesBelow(folder).map(name => statSync(join(folder, name), { throwIfNoEntry: false }))
  return files.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0) / 1024 / 1024
}

/** A folder may be removed during the listing, which then restarts. */
function namesBelow(folder: string): string[] {
  for (;;) {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || path === folder) throw error
    }
  }
}

function serverWithSpinningWorker(): string {
  return `
    import { openSandbox } from ${JSON.stringify(new URL('open-sandbox.ts', import.meta.url).href)}
    import { startWorkerPool } from ${JSON.stringify(new URL('../worker-pool.ts', import.meta.url).href)}
    const { sandbox } = await openSandbox({
      mode: 'require', folder: ${JSON.stringify(join(dataFolder, 'server'))}, hidden: [], searchPath: process.env.PATH })
    const program = new URL(${JSON.stringify(new URL('../../../test/processing/misbehaving-worker.ts', import.meta.url).href)})
    const pool = startWorkerPool(program, { size: 1, memoryMb: 500, timeoutMs: 60_000, sandbox })
    await pool.run('pid', undefined)
    void pool.run('spin', undefined)
    setTimeout(() => process.stdout.write('It spins.'), 200)`
}

function childrenOf(pid: number | undefined): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
}
