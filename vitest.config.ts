import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { messages } from './web/vite-messages.ts'
import { wat } from './web/vite-wat.ts'

/** Of all unit and API tests; `vitest.scale.config.ts` uses them too. */
export const options = {
  // Servers, databases and decoders are real here. Many tests wait for a job or a timeout, so two cores carry three workers.
  maxWorkers: 3,
  // A test that waits for something ends when it is there, and on a busy machine that takes its time.
  testTimeout: 60_000,
  // Repeated once in CI, and named as such in the output. Locally a failed test fails at once.
  retry: process.env.CI ? 1 : 0,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
}

/**
 * Without the times of an earlier run, as in CI, Vitest starts with the largest files. These are small but take long, since
 * they import their tests: at the end they would run while the other workers have nothing left to do.
 */
const slow = /\/server\/(test\/(security|faults)|seed)\//

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(file => slow.test(file.moduleId)), ...sorted.filter(file => !slow.test(file.moduleId))]
  }
}

export default defineConfig({
  plugins: [wat(), messages()],
  test: {
    ...options,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          // They need an S3 store beside Postgres: `npm run test:scale`.
          exclude: [...configDefaults.exclude, '**/*.scale.test.ts'],
          globalSetup: 'server/test/vitest-setup.ts',
          // The files of a worker share the loaded server, which takes longer to load than most of them to run. They must not
          // replace globals.
          isolate: false,
          // First: a worker that changes between the projects would load the server again.
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'others',
          include: ['contract/**/*.test.ts', 'web/**/*.test.ts', 'scripts/**/*.test.ts'],
          // The tests read the web's tokens to see that every text can be read on its ground.
          css: { include: /tokens\.css/ },
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
