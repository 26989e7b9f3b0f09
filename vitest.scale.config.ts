import { configDefaults, defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

/** What runs on Postgres and an S3 store: their own tests, and those of the product that a store could break. */
export default defineConfig({
  test: {
    ...usual.test,
    include: ['server/**/*.scale.test.ts'],
    exclude: configDefaults.exclude,
    globalSetup: 'server/test/scale-setup.ts',
  },
})
