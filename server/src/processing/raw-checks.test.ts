import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { makeDng } from '../../test/processing/dng.ts'
import { makeRaf } from '../../test/processing/pictures.ts'
import { startBench } from '../../test/processing/start.ts'

const { processing, folder } = startBench({ checkTimeoutMs: 20_000 })

afterEach(() => signalExiftool('SIGCONT'))

test("one person's RAW files that take long delay no check of another person's", async () => {
  const path = join(folder, 'photo.raf')
  writeFileSync(path, makeRaf(await makePicture({ width: 64, height: 32 })))
  const measure = (ownerId: number) => processing.measure({ path, format: 'raf' }, { ownerId })
  const size = { width: 64, height: 32, hdr: false }
  expect(await measure(1)).toEqual(size)

  // Simulates files that make exiftool hang: each process that a check of the first person starts is stopped.
  let answered = 0
  signalExiftool('SIGSTOP')
  const slow = [1, 2, 3].map(() => measure(1).finally(() => answered++))
  const ended = Promise.allSettled(slow)
  for (let round = 0; round < 150; round++) {
    signalExiftool('SIGSTOP')
    await setTimeout(20)
  }
  expect(await measure(2)).toEqual(size)
  expect(answered).toBe(0)
  signalExiftool('SIGCONT')
  await ended
})

test("one person's many RAW files leave a process of exiftool to the others", async () => {
  let ended = 0
  // It contains no picture, so no further step follows.
  const prepare = async (ownerId: number, nth: number) => {
    const path = join(folder, `empty-${ownerId}-${nth}.dng`)
    writeFileSync(path, makeDng(16, 16))
    const order = { path, format: 'dng', outDir: join(folder, `out-${ownerId}-${nth}`) } as const
    await expect(processing.makeVariants(order, { ownerId })).rejects.toMatchObject({ failure: 'unsupported' })
    return ++ended
  }
  const many = Array.from({ length: 40 }, (_, nth) => prepare(1, nth))
  // After all of the first person's files are queued.
  await setTimeout(100)
  expect(await prepare(2, 0)).toBeLessThan(30)
  await Promise.all(many)
})

/**
 * Signals the exiftool processes that were started here; in the sandbox each is a child of a process that we started.
 */
function signalExiftool(signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)) {
    try {
      const isOurs = [parentOf(pid), parentOf(parentOf(pid))].includes(process.pid)
      const isExiftool = readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('-stay_open')
      if (isOurs && isExiftool) process.kill(pid, signal)
    } catch {
      // It has ended already.
    }
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])
}
