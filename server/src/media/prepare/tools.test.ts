import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { decoderLimits, openMediaTools } from './tools.ts'

const GB = 1024

test.each([
  { machine: { cores: 2, memoryMb: 4 * GB }, decoders: 2, largeDecoders: 2, videos: 2 },
  { machine: { cores: 4, memoryMb: 2 * GB }, decoders: 2, largeDecoders: 2, videos: 2 },
  { machine: { cores: 4, memoryMb: GB / 2 }, decoders: 1, largeDecoders: 2, videos: 2 },
  { machine: { cores: 16, memoryMb: 8 * GB }, decoders: 10, largeDecoders: 2, videos: 2 },
  { machine: { cores: 16, memoryMb: 64 * GB }, decoders: 16, largeDecoders: 21, videos: 13 },
])('a machine of $machine.cores cores and $machine.memoryMb MB has $decoders decoders', ({ machine, ...wanted }) => {
  expect(decoderLimits(machine)).toEqual(wanted)
})

test('ffmpeg works on few videos at the same time, and fewer of one person', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-tools-'))
  const tools = await openMediaTools({
    ...{ ffmpegPath: undefined, searchPath: undefined, homeTimeZone: 'UTC', sandbox: 'off' },
    ...{ exchangeFolder: join(folder, 'exchange'), dataFolder: folder, warn: () => undefined, log: () => undefined },
    limits: { decoders: 4, largeDecoders: 2, videos: 3 },
  })
  onTestFinished(async () => {
    await tools.close()
    rmSync(folder, { recursive: true })
  })
  const [running, most] = [new Map<number, number>(), new Map<number, number>()]
  const count = (who: number, change: number) => {
    const now = (running.get(who) ?? 0) + change
    running.set(who, now)
    most.set(who, Math.max(most.get(who) ?? 0, now))
  }
  const EVERYBODY = 0
  const videos = [1, 1, 1, 1, 1, 2, 2, 2].map(ownerId =>
    tools.withVideoSlot(ownerId, AbortSignal.timeout(10_000), async () => {
      for (const who of [ownerId, EVERYBODY]) count(who, 1)
      await setTimeout(20)
      for (const who of [ownerId, EVERYBODY]) count(who, -1)
      if (ownerId === 2) throw new Error('A video that fails gives its place back too.')
    }),
  )
  await Promise.allSettled(videos)
  expect(Object.fromEntries(most)).toEqual({ 1: 2, 2: 2, [EVERYBODY]: 3 })
})
