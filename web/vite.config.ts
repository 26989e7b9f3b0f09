import { constants } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'
import { licences } from './vite-licences.ts'
import { messages } from './vite-messages.ts'
import { serviceWorker } from './vite-service-worker.ts'
import { skeletonFirst } from './vite-skeleton-first.ts'
import { wat } from './vite-wat.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), licences(), messages(), skeletonFirst(), serviceWorker(), ...precompress()],
  build: {
    emptyOutDir: true,
    // The pages' security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // kit/zod-without-eval.ts has to run before the first schema is created. In a separate chunk it would run
            // after the chunk with the schemas, because a chunk's imports are evaluated first.
            { name: 'schemas', test: /node_modules\/zod\/|kit\/zod-without-eval/, priority: 2 },
            // All that the first screen needs, in one chunk: twenty small ones, which pages loaded on demand share, have
            // twenty response headers and are compressed less.
            { name: 'program', tags: ['$initial'], priority: 1 },
          ],
        },
      },
    },
  },
  // Workers import their large decoders on demand, which needs ES modules.
  worker: { format: 'es', plugins: () => [wat()] },
})

/** Gzip and Brotli files next to the built ones, for the server to send. Browsers accept Brotli over https only. */
function precompress(): Plugin[] {
  // The best compression is for what the first screen waits for. For the decoders, tens of megabytes, it takes minutes.
  return [
    withBrotli(11, { include: /\/(index|program|schemas)-[^/]*\.(js|css)$/ }),
    withBrotli(9, { include: /^(?!.*\/(index|program|schemas)-).*\.(js|css|json|svg|webmanifest)$/ }),
    withBrotli(5, { include: /\.wasm$/ }),
  ]
}

function withBrotli(quality: number, { include }: { include: RegExp }): Plugin {
  const brotli = defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
  return compression({ include, threshold: 1_000, algorithms: [defineAlgorithm('gzip', { level: 6 }), brotli] })
}
