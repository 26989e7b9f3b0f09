import { resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const NAME = 'ahead.js'

/** Builds the script that asks ahead by itself: a part of the program would wait for the whole of it. */
export function ahead(): Plugin {
  return {
    name: 'ahead',
    apply: 'build',
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${NAME}`, async: true }, injectTo: 'head-prepend' }],
    async generateBundle() {
      const entry = resolve(import.meta.dirname, 'src/app/ahead.ts')
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        build: { write: false, lib: { entry, formats: ['iife'], name: 'ahead' } },
      })
      const [chunk] = (Array.isArray(built) ? built[0]?.output : undefined) ?? []
      if (chunk === undefined) throw new Error(`${entry} was not built`)
      this.emitFile({ type: 'asset', fileName: NAME, source: chunk.code })
    },
  }
}
