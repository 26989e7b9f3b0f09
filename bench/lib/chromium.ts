import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../../scripts/lib/system.mjs'

/** Runs `work` with a real Chromium. */
export async function withChromium(work: (browser: Browser) => Promise<void>): Promise<void> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('This benchmark needs Chromium: install it, or set CHROMIUM_PATH.')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    await work(browser)
  } finally {
    await browser.close()
  }
}
