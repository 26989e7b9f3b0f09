import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const withBrotli = promisify(brotliCompress)
const withGzip = promisify(gzip)

const worthIt = /\.(js|css|json|svg|wasm|webmanifest)$/
const SMALL_BYTES = 1_000
const LARGE_BYTES = 2_000_000

/**
 * A third of the bytes over a family's line: each built file stands beside itself, packed once for all who come. Browsers
 * take Brotli over https only, and gzip over a home's plain http.
 */
export function compress(): Plugin {
  let folder: string | undefined
  return {
    name: 'compress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      const target = resolve(root, build.outDir)
      // What a test builds elsewhere travels over no line.
      folder = target.startsWith(root + sep) ? target : undefined
    },
    // Not of what is bundled alone: public/ is copied as it is.
    async closeBundle() {
      if (folder === undefined) return
      const within = folder
      const names = await readdir(folder, { recursive: true })
      await Promise.all(names.filter(name => worthIt.test(name)).map(name => pack(join(within, name))))
    },
  }
}

async function pack(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < SMALL_BYTES) return
  const effort = { [constants.BROTLI_PARAM_QUALITY]: bytes.length > LARGE_BYTES ? 5 : 9 }
  await Promise.all([
    withBrotli(bytes, { params: effort }).then(packed => writeFile(`${path}.br`, packed)),
    withGzip(bytes).then(packed => writeFile(`${path}.gz`, packed)),
  ])
}
