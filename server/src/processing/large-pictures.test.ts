import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { recordAttempts } from '../../test/processing/record-attempts.ts'
import { startBench } from '../../test/processing/start.ts'

// Less than a decoder needs for any picture, so each counts as large.
const recorded = recordAttempts()
const { processing, folder } = startBench({
  ordinaryMb: 20,
  decoders: 3,
  largeDecoders: 1,
  sandbox: recorded.sandbox,
})

test.runIf(process.platform === 'linux')(
  'pictures that need more than usual are decoded again, one by one',
  async () => {
    const background = '#c82828'
    const png = sharp({ create: { width: 3_000, height: 2_000, channels: 3, background } }).png()
    const made = await Promise.all(
      [1, 2, 3].map(async ownerId => {
        const outDir = join(folder, `made-${ownerId}`)
        mkdirSync(outDir)
        const path = join(folder, `large-${ownerId}.png`)
        await png.clone().toFile(path)
        return { path, ...(await processing.makeVariants({ path, format: 'png', outDir }, { ownerId })) }
      }),
    )
    for (const { path, width, height, variants } of made) {
      expect({ width, height, variants: variants.length }).toEqual({ width: 3_000, height: 2_000, variants: 4 })
      expect(recorded.of(path)).toEqual([expect.objectContaining({ failure: 'memory' }), { path, running: 1 }])
    }
  },
)
