import { globSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limitError, outputTooLarge } from '#server/processing/child-process.ts'
import { unreadable, unsupported } from '#server/processing/errors.ts'
import { refuseIfTooLarge, tooLarge } from '#server/processing/images/pixels.ts'
import { tooManyMessage } from '#server/processing/structure/limits.ts'
import { ConversionLoss } from '#server/processing/video/convert.ts'
import { ffmpegError } from '#server/processing/video/run-ffmpeg.ts'
import { reasonInWords } from './reason-in-words.ts'

async function inGerman(): Promise<typeof reasonInWords> {
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  vi.stubGlobal('navigator', { languages: ['de-DE'] })
  vi.resetModules()
  return (await import('./reason-in-words.ts')).reasonInWords
}

const limits = { timeoutMs: 120_000, memoryMb: 1_500, outputMb: 2_000 }
const none = { end: null, sourceEnd: null }
const failed = { ok: false, ending: 'code 1', seconds: 1, stderr: '' }
const stderr = ['No space left on device', 'Cannot allocate memory', 'Permission denied', 'moov atom not found', '?']
const made = [
  limitError('time', limits),
  limitError('time', { ...limits, timeoutMs: 30_000 }),
  limitError('memory', limits),
  limitError('disk', limits),
  unreadable(),
  unsupported(),
  tooLarge('40 MB'),
  new ConversionLoss('picture', none),
  new ConversionLoss('sound', none),
  ...['scans', 'segments', 'pages', 'fields', 'frames', 'blocks', 'chunks'].map(
    what => new Error(tooManyMessage(2_000, what)),
  ),
  ...(['read', 'converted', 'shown'] as const).flatMap(step => [
    ...stderr.map(text => ffmpegError(step, { ...failed, stderr: text })),
    ffmpegError(step, { ...failed, ending: 'SIGSEGV' }),
  ]),
].map(error => error.message)

/** Those that are written out in the code. */
const written = globSync(['server/src/processing/**/*.ts', 'server/src/media/prepare/*.ts', 'server/src/jobs/queue.ts'])
  .filter(file => !/\.test\.ts$/.test(file))
  .flatMap(file => [
    ...readFileSync(file, 'utf8').matchAll(
      /(?:new (?:ProcessingError\(\s*'\w+',|PermanentFailure\()|unreadable\(|tooComplex\(|sentence[:=] )\s*'([^']+\.)'/g,
    ),
  ])
  .map(match => match[1] ?? '')

test('reasons of the server stay as they are in English', () => {
  for (const reason of [...made, ...written]) expect(reasonInWords(reason)).toBe(reason)
})

test('every reason of the server is in the language of the page', async () => {
  const say = await inGerman()
  expect(written.length).toBeGreaterThan(15)
  for (const reason of [...made, ...written]) expect([reason, say(reason)]).not.toEqual([reason, reason])
})

test('what the server put into it is there, with numbers as they are written here', async () => {
  const say = await inGerman()
  expect(say(outputTooLarge(2_000).message)).toBe('Die Verarbeitung wurde beendet, weil sie mehr als 2.000 MB schrieb.')
  expect(say('This photo is too large to show (1,200 megapixels); the original is safe.')).toBe(
    'Dieses Foto ist zu groß, um gezeigt zu werden (1.200 Megapixel); das Original ist sicher aufbewahrt.',
  )
  expect(() => refuseIfTooLarge({ width: 40_000, height: 30_000 })).toThrow('(1,200 megapixels)')
  expect(say('Something of a later version.')).toBe('Something of a later version.')
})
