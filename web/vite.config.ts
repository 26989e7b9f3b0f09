import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { ahead } from './vite-ahead.ts'
import { compress } from './vite-compress.ts'
import { fonts } from './vite-fonts.ts'
import { licences } from './vite-licences.ts'
import { wat } from './vite-wat.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), ahead(), fonts(), licences(), compress()],
  build: {
    emptyOutDir: true,
    // The pages' security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // kit/zod-without-eval.ts has to run before the first schema is made. In another chunk than the schemas it would run
        // after them, since a chunk's imports are evaluated first.
        codeSplitting: {
          groups: [{ name: 'schemas', test: /node_modules\/zod\/|contract\/src\/|kit\/zod-without-eval/ }],
        },
      },
    },
  },
  // Workers load their large decoders only when they need them, which takes modules.
  worker: { format: 'es', plugins: () => [wat()] },
})
