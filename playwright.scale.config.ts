import { defineConfig } from '@playwright/test'
import usual from './playwright.config.ts'

const { S3_ENDPOINT = '', S3_BUCKET = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = process.env

/** A family whose files lie in an S3 store, where its browsers fetch them. */
export default defineConfig({
  ...usual,
  testIgnore: [],
  testMatch: 'e2e/*.scale.test.ts',
  // Sets what stands above, before the processes begin that run the tests.
  globalSetup: './e2e/support/store-setup.ts',
  use: { ...usual.use, environment: { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } },
})
