import { defineConfig, devices } from '@playwright/test'

/**
 * Newer versions of the full Chromium render the popups of the address bar as pages for every window: a fifth of the CPU
 * time of a test. Only the last `--disable-features` counts, so the features that Playwright disables are listed too.
 */
const featuresOff = [
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // They need an S3 store: `npm run test:scale`.
  testIgnore: '**/*.scale.test.ts',
  // Each test has a server and a browser of its own, and often waits for one of them: two cores carry three workers.
  workers: 3,
  fullyParallel: true,
  // A failed test is repeated once in CI: a passing repetition is reported as flaky. Locally it fails at once.
  retries: process.env.CI ? 1 : 0,
  // Servers and browsers share a small machine; what is slow there is not yet wrong.
  timeout: 300_000,
  expect: { timeout: 45_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    // A picture of what failed. To see every step, which takes a third more work, add `--trace=retain-on-failure`.
    screenshot: 'only-on-failure',
    // Requests that a service worker answers cannot be delayed or cut by a test; those of offline use allow it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${featuresOff.join()}`,
      ],
    },
  },
})
