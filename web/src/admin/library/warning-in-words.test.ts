import { expect, onTestFinished, test, vi } from 'vitest'
import { LIBRAW_MISSING } from '#server/processing/raw/render-raw.ts'
import { warningInWords } from './warning-in-words.ts'

const off =
  'The programs that read photos and videos run without a sandbox: a hostile file that takes over one of them could reach the whole library and the network. The setting SANDBOX is "off".'

test('a warning is said in the language of the page, with the problem that it names', async () => {
  expect(warningInWords(off)).toBe(off)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  vi.stubGlobal('navigator', { languages: ['de-DE'] })
  vi.resetModules()
  const { warningInWords: inGerman } = await import('./warning-in-words.ts')
  expect(inGerman(off)).toBe(
    'Die Programme, die Fotos und Videos lesen, laufen ohne Sandbox: Eine bösartige Datei, die eines von ihnen übernimmt, könnte die ganze Bibliothek und das Netzwerk erreichen. Die Einstellung SANDBOX steht auf „off“.',
  )
  expect(inGerman(LIBRAW_MISSING)).toContain('LibRaw ist auf diesem Computer nicht installiert')
  expect(inGerman('Something of a later version.')).toBe('Something of a later version.')
})
