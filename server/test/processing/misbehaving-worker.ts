import { appendFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ProcessingError } from '#server/processing/errors.ts'
import { serveTasks } from '#server/processing/serve-tasks.ts'
import { type Targets, tryEverything } from './try-everything.ts'

const held: Buffer[] = []

/** Simulates what hostile files make decoders do. */
export const misbehaviour = {
  echo: (input: unknown) => input,
  pid: () => process.pid,
  environment: () => ({ ...process.env }),
  wait: (ms: number) => new Promise<number>(resolve => setTimeout(() => resolve(process.pid), ms)),
  spin: () => {
    for (;;);
  },
  hoard: () => {
    for (;;) held.push(Buffer.alloc(10_000_000, 1))
  },
  keep: (megabytes: number) => {
    held.push(Buffer.alloc(megabytes * 1_000_000, 1))
    return process.pid
  },
  /** Simulates a process that a file has taken over. */
  attack: ({ targets }: { path: string; outDir: string; targets: Targets }) => tryEverything(targets),
  overwriteInput: ({ path }: { path: string }) =>
    writeFile(path, 'overwritten').then(
      () => 'done',
      (error: NodeJS.ErrnoException) => error.code,
    ),
  /** How many files it can list next to its own input. */
  listInputs: ({ path }: { path: string }) => readdirSync(dirname(path)).length,
  plantLink: ({ outDir, target }: { outDir: string; target: string }) =>
    symlinkSync(target, join(outDir, 'desktop.jpg')),
  insertFolder: ({ outDir }: { outDir: string }) => mkdirSync(join(outDir, 'desktop')),
  writeOutput: ({ outDir }: { outDir: string }) => writeFile(join(outDir, 'desktop.jpg'), 'pixels'),
  /** One growing file, or many files. */
  writeForever: ({ outDir, files }: { outDir: string; files: 'one file' | 'many files' }) => {
    for (let i = 0; ; i++) {
      appendFileSync(join(outDir, files === 'one file' ? 'desktop.jpg' : `${i}.jpg`), Buffer.alloc(1_000_000, 1))
      // Slow enough that the folder check runs before the limit is exceeded by much.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  },
  crash: () => process.abort(),
  leave: () => process.exit(0),
  fail: (sentence: string) => {
    throw new ProcessingError('unreadable', sentence)
  },
  stumble: () => {
    throw new TypeError('undefined is not a function')
  },
}

serveTasks(misbehaviour)
