import { configDefaults, defineConfig } from 'vitest/config'
import { wat } from './web/vite-wat.ts'

export default defineConfig({
  plugins: [wat()],
  test: {
    include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'web/**/*.test.ts', 'scripts/**/*.test.ts'],
    // They need an S3 store beside Postgres: `npm run test:scale`.
    exclude: [...configDefaults.exclude, '**/*.scale.test.ts'],
    globalSetup: 'server/test/vitest-setup.ts',
    // The tests read the web's tokens to see that every text can be read on its ground.
    css: { include: /tokens\.css/ },
    // Servers, databases and decoders are real here. Many tests wait for a job or a timeout, so two cores carry three workers.
    maxWorkers: 3,
    // A test that waits for something ends when it is there, and on a busy machine that takes its time.
    testTimeout: 60_000,
    // Repeated once in CI, and named as such in the output. Locally a failed test fails at once.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
