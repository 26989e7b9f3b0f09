import { ProcessingError } from '../errors.ts'
import { serveTasks } from '../serve-tasks.ts'

const held: Buffer[] = []

/** What hostile files make decoders do, without the files. */
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
