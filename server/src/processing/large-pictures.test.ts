import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startBench } from './test-support/start.ts'

// Less than a decoder needs for anything: each picture counts as a large one.
const { processing, folder } = startBench({ ordinaryMb: 20, decoders: 2, largeDecoders: 1 })

test.runIf(process.platform === 'linux')('pictures that need more than usual are decoded all the same', async () => {
  const path = join(folder, 'large.png')
  const background = '#c82828'
  await sharp({ create: { width: 3_000, height: 2_000, channels: 3, background } })
    .png()
    .toFile(path)
  const made = await Promise.all(
    [1, 2].map(ownerId => {
      const outDir = join(folder, `made-${ownerId}`)
      mkdirSync(outDir)
      return processing.makeVariants({ path, format: 'png', outDir }, { ownerId })
    }),
  )
  for (const { width, height, variants } of made) {
    expect({ width, height, variants: variants.length }).toEqual({ width: 3_000, height: 2_000, variants: 4 })
  }
})
