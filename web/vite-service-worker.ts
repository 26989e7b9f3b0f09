import { createHash } from 'node:crypto'
import { build, type Plugin } from 'vite'

/** Decoders and converters for uploads, and the detailed atlas: megabytes that are loaded when they are needed. */
const large = /\.wasm$|\.worker-|mediabunny|ffmpeg|libheif|decode-|countries-10m|\.(br|gz|map)$/

/**
 * Builds the service worker as one file, `/sw.js`, with the list of files that it stores: a classic script, because not
 * every browser runs modules as service workers. Its content changes with every build that changes a file.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const files = Object.keys(bundle).filter(name => name.startsWith('assets/') && !large.test(name))
      const paths = files.toSorted().map(name => `/${name}`)
      const page = bundle['index.html']
      const hash = createHash('sha256').update(JSON.stringify(paths))
      if (page?.type === 'asset') hash.update(page.source)
      this.emitFile({
        type: 'asset',
        fileName: 'sw.js',
        source: await bundleWorker(paths, hash.digest('hex').slice(0, 12)),
      })
    },
  }
}

async function bundleWorker(paths: readonly string[], id: string): Promise<string> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    publicDir: false,
    define: { BUILT_FILES: JSON.stringify(paths), BUILD_ID: JSON.stringify(id) },
    build: {
      write: false,
      lib: { entry: 'src/service-worker/service-worker.ts', formats: ['iife'], name: 'serviceWorker' },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap(result => ('output' in result ? result.output : []))
  const script = outputs.find(output => output.type === 'chunk')
  if (script === undefined) throw new Error('The service worker was not built')
  return script.code
}
