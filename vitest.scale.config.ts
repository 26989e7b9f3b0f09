import { configDefaults, defineConfig } from 'vitest/config'
import { options } from './vitest.config.ts'

/** Tests of the product that a store could break; they run on SQLite and a folder by `npm test`. */
const onTheStore = [
  'server/src/guest-uploads/guest-uploads.test.ts',
  'server/src/links/guest-files.test.ts',
  'server/src/links/links.test.ts',
  'server/src/media/upload/forms.test.ts',
  'server/src/media/upload/hostile-ids.test.ts',
  'server/src/media/upload/resumable.test.ts',
  'server/src/media/rotate.test.ts',
  'server/src/media/trash.test.ts',
  // What they decode comes from the store and goes back to it like that of `rotate.test.ts`.
  ...(process.env.LONG
    ? ['server/src/media/prepare/motion-photos.test.ts', 'server/src/media/prepare/photos.test.ts']
    : []),
]

/** What runs on Postgres and an S3 store: their own tests, and those of the product that a store could break. */
export default defineConfig({
  test: {
    ...options,
    include: ['server/**/*.scale.test.ts', ...onTheStore],
    exclude: configDefaults.exclude,
    globalSetup: 'server/test/scale-setup.ts',
  },
})
