import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { isRunning } from '../../../test/is-running.ts'
import { openClipFolder, PATIENCE, picture } from '../../../test/processing/video-clips.ts'
import type { Ffmpeg } from './find-ffmpeg.ts'
import { defaultVideoLimits, ffmpegError, printableTail, runFfmpeg } from './run-ffmpeg.ts'

vi.setConfig(PATIENCE)
const clipFolder = await openClipFolder()
afterAll(() => clipFolder[Symbol.asyncDispose]())

/** Would run for hours. */
const endless = [...picture('320x240', 100_000), '-f', 'null', '-']

/** A fake ffmpeg. */
async function program(name: string, script: string): Promise<Ffmpeg> {
  const path = clipFolder.at(name)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return { ...clipFolder.ffmpeg, path }
}

test('a run reports how far it came', async () => {
  const seen: number[] = []
  const args = [...picture('160x120', 3), '-f', 'null', '-']
  const outcome = await runFfmpeg(clipFolder, { args, onProgress: seconds => seen.push(seconds) })
  expect(outcome.ok).toBe(true)
  expect(outcome.seconds).toBeCloseTo(3, 0)
  expect(seen.at(-1)).toBe(outcome.seconds)
})

test('a run that takes too long is ended', async () => {
  const limits = { readTimeoutMs: 500 }
  await expect(runFfmpeg({ ...clipFolder, limits }, { args: endless })).rejects.toMatchObject({
    failure: 'time',
    message: 'Processing was stopped because it took longer than 500 ms.',
  })
})

test('a larger file has more time to be read, and a longer video more time to be encoded', async () => {
  const tight = { readTimeoutMs: 1, readTimeoutMsPerMb: 0, timeoutMs: 1, timeoutMsPerSecond: 0 }
  const large = clipFolder.at('large')
  await writeFile(large, Buffer.alloc(3_000_000))
  const slow = { ffmpeg: await program('slow', 'sleep 0.5') }
  for (const run of [
    { args: [], reads: large },
    { args: [], encodesSeconds: 2 },
  ]) {
    await expect(runFfmpeg({ ...slow, limits: tight }, run)).rejects.toMatchObject({ failure: 'time' })
    const generous = { ...tight, readTimeoutMsPerMb: 10_000, timeoutMsPerSecond: 10_000 }
    expect(await runFfmpeg({ ...slow, limits: generous }, run)).toMatchObject({ ok: true })
  }
})

test('a small file on which ffmpeg hangs is given up within 20 seconds', () => {
  const { readTimeoutMs, readTimeoutMsPerMb } = defaultVideoLimits
  expect(readTimeoutMs + readTimeoutMsPerMb).toBeLessThanOrEqual(20_000)
})

test('an error while reading is that of the file, unless the disk cannot read it', async () => {
  const failing = { ffmpeg: await program('failing', 'echo "file:/clip: Input/output error" >&2; exit 1') }
  const file = clipFolder.at('readable')
  await writeFile(file, 'a')
  const outcome = await runFfmpeg(failing, { args: [], reads: file })
  expect(ffmpegError('read', outcome)).toMatchObject({ failure: 'unreadable', isRetryable: false })
  const missing = clipFolder.at('not there')
  const run = runFfmpeg(failing, { args: [], reads: missing })
  await expect(run).rejects.toMatchObject({ failure: 'crashed', isRetryable: true })
})

test('a run that makes no progress is ended', async () => {
  // Progress reports keep arriving, but never change.
  const stuck = await program('stuck', 'while true; do echo "frame=7"; echo "out_time_us=5000"; sleep 0.1; done')
  const run = runFfmpeg({ ffmpeg: stuck, limits: { stallMs: 600 } }, { args: [] })
  await expect(run).rejects.toMatchObject({
    failure: 'time',
    message: 'Processing was stopped because it made no progress any more.',
  })
})

test('a run that reports nothing is alive while its file grows', async () => {
  const file = clipFolder.at('growing')
  const quiet = await program('quiet', `for i in 1 2 3 4 5 6; do echo x >>${file}; sleep 0.5; done`)
  const outcome = await runFfmpeg({ ffmpeg: quiet, limits: { stallMs: 2_000 } }, { args: [], writes: file })
  expect(outcome.ok).toBe(true)
})

test.runIf(process.platform === 'linux')('a run that takes too much memory is ended', async () => {
  const args = [...picture('4096x2304', 60), '-vf', 'reverse', '-f', 'null', '-']
  await expect(runFfmpeg({ ...clipFolder, limits: { memoryMb: 200 } }, { args })).rejects.toMatchObject({
    failure: 'memory',
  })
})

test('a cancelled run ends at once, and one cancelled before never starts', async () => {
  const cancel = new AbortController()
  const tools = { ...clipFolder, signal: cancel.signal }
  const run = runFfmpeg(tools, { args: endless, onProgress: () => cancel.abort() })
  await expect(run).rejects.toMatchObject({ failure: 'cancelled' })
  await expect(runFfmpeg(tools, { args: endless })).rejects.toMatchObject({ failure: 'cancelled' })
})

test('ffmpeg sees nothing of our environment, and no standard input', async () => {
  const curious = await program('curious', 'env >&2; cat >&2; echo "read nothing" >&2')
  const { stderr } = await runFfmpeg({ ffmpeg: curious }, { args: [] })
  expect(stderr).toContain('read nothing')
  expect(stderr).not.toContain('HOME=')
  expect(stderr.match(/^[A-Z]\w*=/gm)?.filter(name => !['PWD=', 'OLDPWD=', 'SHLVL='].includes(name)) ?? []).toEqual([])
})

test('a server that is killed takes its ffmpeg with it', async () => {
  const pidTeller = await program('pid-teller', `echo "out_time_us=$$" ; exec ${clipFolder.ffmpeg.path} "$@"`)
  const server = `
    import { runFfmpeg } from ${JSON.stringify(import.meta.resolve('./run-ffmpeg.ts'))}
    const ffmpeg = ${JSON.stringify(pidTeller)}
    const reports = []
    const onProgress = seconds => {
      // The first report is the pid; by the second ffmpeg is at work, where a broken pipe doesn't end it.
      if (reports.push(seconds) === 2) process.stdout.write(String(Math.round(reports[0] * 1e6)))
    }
    await runFfmpeg({ ffmpeg }, { args: ${JSON.stringify(endless)}, onProgress })`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', server], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await once(child.stdout, 'data')
  const pid = Number(String(output))
  expect(isRunning(pid)).toBe(true)
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000 })
})

test('last words hold nothing that plays tricks on a terminal', () => {
  expect(printableTail('a\u001b[31m\u202eb\u0007\nc\n')).toBe('a[31mb\nc')
  expect(printableTail('x'.repeat(10_000))).toHaveLength(2_000)
})

const explain = (stderr: string, ending = 'code 1') =>
  ffmpegError('converted', { ok: false, ending, stderr, seconds: null })

test.each([
  [
    '[mov,mp4 @ 0x1] moov atom not found\nclip: Invalid data found when processing input',
    'it seems to be cut off',
    false,
  ],
  ['file:/clip: End of file', 'it seems to be cut off', false],
  ['file:/clip: Invalid data found when processing input', 'it is damaged', false],
  ["[hls @ 0x1] Format not on whitelist 'mov,mp4'", 'it is not a video file', false],
  [
    'Decoder (codec none) not found for input stream #0:1',
    'its picture or sound is in a format that is not known here',
    false,
  ],
  [
    'Decoding requested, but no decoder found for: none',
    'its picture or sound is in a format that is not known here',
    false,
  ],
  ['Output file is empty, nothing was encoded (check -ss / -t)', 'there is no picture in it', false],
  ['bwrap: No permissions to create new namespace', 'the video program does not work on this server', true],
  ['Picture size 65000x65000 is invalid', 'its picture is too large', false],
  ['av_interleaved_write_frame(): No space left on device\nConversion failed!', 'the disk is full', true],
  ['Error initializing output stream: Cannot allocate memory', 'there was not enough memory', true],
])('"%s" means: %s', (stderr, because, isRetryable) => {
  expect(explain(stderr)).toMatchObject({ message: `The video could not be converted: ${because}.`, isRetryable })
})

test('what is not understood is said plainly, kept for the log and not tried again', () => {
  const error = explain('Something new')
  expect(error).toMatchObject({ message: 'The video could not be converted.', isRetryable: false })
  expect(error.cause).toMatchObject({ message: 'ffmpeg ended with code 1: Something new' })
})

test('an ffmpeg that dies of a file is not tried again, and one that is killed is', () => {
  expect(explain('Invalid data found', 'SIGSEGV')).toMatchObject({ failure: 'unreadable', isRetryable: false })
  expect(explain('', 'SIGKILL')).toMatchObject({ failure: 'crashed', isRetryable: true })
})
