import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, vi } from 'vitest'
import { type Processing, type ProcessingOptions, startProcessing } from '#server/processing/processing.ts'
import { sandboxHere } from './sandbox.ts'

export interface Bench {
  readonly processing: Processing
  /** An empty folder, removed after the tests of the file. */
  readonly folder: string
  readonly warnings: string[]
  readonly logged: string[]
}

/** Real processing with real processes, for all tests of a file. */
export function startBench(options: Partial<ProcessingOptions> = {}): Bench {
  // Decoders run at low priority, so they are slow on a busy machine.
  vi.setConfig({ testTimeout: 60_000 })
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-processing-'))
  const warnings: string[] = []
  const logged: string[] = []
  const processing = startProcessing({
    decoders: 1,
    sandbox: sandboxHere,
    warn: sentence => warnings.push(sentence),
    log: sentence => logged.push(sentence),
    ...options,
  })
  afterAll(async () => {
    await processing.close()
    rmSync(folder, { recursive: true })
  })
  return { processing, folder, warnings, logged }
}
