import { expect, test } from 'vitest'
import type { HdrColours } from '#contract/hdr-still.ts'
import { toneMap } from './tone-map.ts'

const samplesOf = (count: number) => Uint16Array.from({ length: count * 3 }, (_, at) => (at * 7_919) % 65_536)

test.each<HdrColours>([
  { transfer: 'pq', primaries: 'bt2020' },
  { transfer: 'hlg', primaries: 'p3' },
])('thousands of rows of $transfer are mapped in the time of their pixels', colours => {
  const [rows, width] = [4_000, 8]
  const samples = samplesOf(rows * width)
  const [byRow, atOnce] = [Buffer.alloc(samples.length), Buffer.alloc(samples.length)]
  const step = width * 3
  const before = process.cpuUsage()
  for (let at = 0; at < samples.length; at += step)
    toneMap(samples.subarray(at, at + step), 3, colours, byRow.subarray(at, at + step))
  const { user, system } = process.cpuUsage(before)
  toneMap(samples, 3, colours, atOnce)
  expect(byRow.equals(atOnce)).toBe(true)
  // About 0.1 s; 20 s or more with a table for each row.
  if (process.env.LONG) expect((user + system) / 1e6).toBeLessThan(5)
})

test('black stays black, what is brighter than white is white, and alpha stays', () => {
  const out = Buffer.alloc(8)
  toneMap(
    Uint16Array.of(0, 0, 0, 0x8000, 65_535, 65_535, 65_535, 0xffff),
    4,
    { transfer: 'pq', primaries: 'bt2020' },
    out,
  )
  expect([...out]).toEqual([0, 0, 0, 128, 255, 255, 255, 255])
})
