import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { test as base, expect, type Page } from '@playwright/test'
import { build } from 'vite'
import type { VariantName } from '#contract/limits.ts'
import { createHttp } from '../../../server/src/kit/http.ts'
import { freePort } from '../../../server/test/free-port.ts'
import type { PreparedVideo } from '../../../web/src/upload/prepare/prepare.ts'
import type {} from './page.ts'

export interface PreparedHere {
  readonly width: number
  readonly height: number
  readonly fullIsOriginal: boolean
  readonly variants: Record<VariantName, VariantHere>
}

export interface VariantHere {
  readonly type: VariantName
  readonly width: number
  readonly height: number
  readonly quality: number
  readonly suffix: string
  readonly mime: string
  readonly bytes: Buffer
}

/** The browser's preparation of files before an upload, on a page that does nothing else. */
export class Preparation {
  readonly page: Page
  readonly folder: string

  constructor(page: Page, folder: string) {
    this.page = page
    this.folder = folder
  }

  at(name: string): string {
    return join(this.folder, name)
  }

  /** Chooses a file in the browser; `window.chosen()` returns it. */
  async choose(name: string, content?: Buffer): Promise<void> {
    if (content) await writeFile(this.at(name), content)
    await this.page.getByLabel('Files').setInputFiles(this.at(name))
  }

  /** Prepares a picture, with the bytes of its variants. */
  async image(name: string, content: Buffer): Promise<PreparedHere> {
    await this.choose(name, content)
    const prepared = await this.page.evaluate(async () => {
      const prepared = await window.preparer.prepareImage(window.chosen())
      if (prepared.outcome === 'server') return prepared
      const variants = prepared.variants.map(async ({ blob, type, width, height, quality, suffix }) => {
        return { type, width, height, quality, suffix, mime: blob.type, base64: await window.inBase64(blob) }
      })
      return { ...prepared, variants: await Promise.all(variants) }
    })
    if (prepared.outcome === 'server') throw new Error(`It was left to the server: ${prepared.reason}`)
    const variants = prepared.variants.map(({ base64, ...variant }) => {
      return [variant.type, { ...variant, bytes: Buffer.from(base64, 'base64') }] as const
    })
    return { ...prepared, variants: Object.fromEntries(variants) as PreparedHere['variants'] }
  }

  /** Prepares a video of the folder. */
  async video(name: string): Promise<PreparedVideoHere> {
    await this.choose(name)
    const { base64, ...prepared } = await this.page.evaluate(async () => {
      const percents: number[] = []
      const onProgress = (percent: number) => percents.push(percent)
      const prepared = await window.preparer.prepareVideo(window.chosen(), { onProgress })
      if (prepared.outcome !== 'converted') return { ...prepared, percents, base64: '' }
      const base64 = await window.inBase64(prepared.file)
      await prepared.discard()
      return { outcome: prepared.outcome, how: prepared.how, percents, base64 }
    })
    const path = this.at(`${name}.prepared.mp4`)
    await writeFile(path, Buffer.from(base64, 'base64'))
    return { ...prepared, path }
  }
}

interface PreparedVideoHere {
  readonly outcome: PreparedVideo['outcome']
  readonly how?: string
  readonly reason?: string
  readonly percents: readonly number[]
  /** The path of the converted video. */
  readonly path: string
}

interface WorkerFixtures {
  /** The address of the page, served with the product's own headers. */
  address: string
}

export const test = base.extend<{ preparation: Preparation }, WorkerFixtures>({
  address: [
    async ({ browserName: _ }, use) => {
      const outDir = await mkdtemp(join(tmpdir(), 'heirloom-prepare-page-'))
      await build({
        configFile: fileURLToPath(new URL('../../../web/vite.config.ts', import.meta.url)),
        root: fileURLToPath(new URL('.', import.meta.url)),
        logLevel: 'error',
        build: { outDir, emptyOutDir: true },
      })
      const port = await freePort()
      const http = await createHttp({
        logLevel: 'silent',
        trustedProxies: { hops: 0 },
        publicUrl: new URL(`http://127.0.0.1:${port}`),
        isUnavailable: () => false,
        isFull: () => false,
      })
      await http.register(fastifyStatic, { root: outDir })
      await use(await http.listen({ host: '127.0.0.1', port }))
      await http.close()
      await rm(outDir, { recursive: true })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  preparation: async ({ address, page }, use) => {
    const consoleErrors: string[] = []
    page.on('pageerror', error => consoleErrors.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') consoleErrors.push(message.text())
    })
    const folder = await mkdtemp(join(tmpdir(), 'heirloom-prepare-'))
    await page.goto(address)
    await use(new Preparation(page, folder))
    await rm(folder, { recursive: true })
    expect(consoleErrors).toEqual([])
  },
})

export { expect }
