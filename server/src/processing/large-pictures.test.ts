import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drawQuadrants } from './test-support/pictures.ts'
import { startBench } from './test-support/start.ts'

// Less than a decoder needs for anything: each picture counts as a large one.
const { processing, folder } = startBench({ ordinaryMb: 20, decoders: 2, largeDecoders: 1 })

test.runIf(process.platform === 'linux')('pictures that need more than usual are decoded all the same', async () => {
  const path = join(folder, 'large.png')
  await drawQuadrants(5_000, 4_000).png().toFile(path)
  const made = await Promise.all(
    [1, 2, 3].map(ownerId => {
      const outDir = join(folder, `made-${ownerId}`)
      mkdirSync(outDir)
      return processing.makeVariants({ path, format: 'png', outDir }, { ownerId })
    }),
  )
  for (const { width, height, variants } of made) {
    expect({ width, height, variants: variants.length }).toEqual({ width: 5_000, height: 4_000, variants: 4 })
  }
})
