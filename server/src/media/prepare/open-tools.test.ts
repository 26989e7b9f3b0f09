import { expect, test } from 'vitest'
import { decodersFor } from './open-tools.ts'

const GB = 1024

test.each([
  { machine: { cores: 2, memoryMb: 4 * GB }, decoders: 2, largeDecoders: 2 },
  { machine: { cores: 4, memoryMb: 2 * GB }, decoders: 2, largeDecoders: 2 },
  { machine: { cores: 4, memoryMb: GB / 2 }, decoders: 1, largeDecoders: 2 },
  { machine: { cores: 16, memoryMb: 8 * GB }, decoders: 10, largeDecoders: 2 },
  { machine: { cores: 16, memoryMb: 64 * GB }, decoders: 16, largeDecoders: 21 },
])('a machine of $machine.cores cores and $machine.memoryMb MB has $decoders decoders', ({ machine, ...wanted }) => {
  expect(decodersFor(machine)).toEqual(wanted)
})
