import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createHasher, hashFile } from './hash.ts'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-hash-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The official BLAKE3 test vectors: the input of n bytes is 0, 1, … 250, 0, 1, … */
const officialVectors: [length: number, digest: string][] = [
  [0, 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'],
  [1, '2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213'],
  [1023, '10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11'],
  [1024, '42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7'],
  [1025, 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444'],
  [4097, '9b4052b38f1c5fc8b1f9ff7ac7b27cd242487b3d890d15c96a1c25b8aa0fb995'],
  [7169, 'a003fc7a51754a9b3c7fae0367ab3d782dccf28855a03d435f8cfe74605e7817'],
]

function officialInput(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => index % 251)
}

test.each(officialVectors)('the official input of %i bytes has the official digest', async (length, digest) => {
  const input = officialInput(length)
  const whole = createHasher()
  whole.update(input)
  expect(whole.digest()).toBe(digest)

  const byPieces = createHasher()
  for (let start = 0; start < length; start += 100) byPieces.update(input.subarray(start, start + 100))
  expect(byPieces.digest()).toBe(digest)

  const path = join(folder, `${length}.bin`)
  writeFileSync(path, input)
  expect(await hashFile(path)).toBe(digest)
})

test('a file of several chunks has the digest of its bytes', async () => {
  const bytes = officialInput(3_000_001)
  const path = join(folder, 'large.bin')
  writeFileSync(path, bytes)
  const hasher = createHasher()
  hasher.update(bytes)
  expect(await hashFile(path)).toBe(hasher.digest())
})

test('hashing a file ends when it is called off', async () => {
  const path = join(folder, 'called-off.bin')
  writeFileSync(path, officialInput(100))
  await expect(hashFile(path, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
})
