import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * Decoders and converters for uploads, and the detailed atlas: megabytes that are loaded when they are needed. The workers that
 * read files are small, and photos are chosen without a connection too.
 */
const large = /\.wasm$|(?<!hash|metadata)\.worker-|mediabunny|ffmpeg|libheif|decode-|countries-10m|\.(br|gz|map)$/

const built = join(import.meta.dirname, 'dist')

/**
 * Builds the service worker as one file, `/sw.js`, with the list of files that it stores: a classic script, because not
 * every browser runs modules as service workers. Its content changes with every build that changes a file.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    // After all other plugins: some remove or rename files.
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const names = await readdir(join(built, 'assets'))
        const paths = names.filter(name => !large.test(name)).toSorted()
        const page = await readFile(join(built, 'index.html'))
        const id = createHash('sha256').update(page).update(paths.join()).digest('hex').slice(0, 12)
        const script = await bundleWorker(
          paths.map(name => `/assets/${name}`),
          id,
        )
        await writeFile(join(built, 'sw.js'), script)
      },
    },
  }
}

async function bundleWorker(paths: readonly string[], id: string): Promise<string> {
  const result = await build({
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
  const outputs = (Array.isArray(result) ? result : [result]).flatMap(one => ('output' in one ? one.output : []))
  const script = outputs.find(output => output.type === 'chunk')
  if (script === undefined) throw new Error('The service worker was not built')
  return script.code
}
