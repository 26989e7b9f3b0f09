import { readFile } from 'node:fs/promises'
import type { Browser } from '@playwright/test'

export interface Consumption {
  /** Peak megabytes of the largest page with its workers, and of the whole browser. */
  page: number
  browser: number
  /** CPU seconds of the browser. */
  seconds: number
}

/** Samples the browser's processes twice a second, by proportional set size. */
export async function watchBrowser(browser: Browser): Promise<{ stop(): Promise<Consumption> }> {
  const session = await browser.newBrowserCDPSession()
  const look = async () => (await session.send('SystemInfo.getProcessInfo')).processInfo
  const secondsOf = (processes: { cpuTime: number }[]) => sum(processes.map(({ cpuTime }) => cpuTime))
  const before = secondsOf(await look())
  const most = { page: 0, browser: 0, seconds: 0 }
  const watch = async () => {
    const processes = await look()
    const sizes = await Promise.all(processes.map(({ id }) => megabytesOf(id)))
    const pages = sizes.filter((_, index) => processes[index]?.type === 'renderer')
    most.page = Math.max(most.page, ...pages)
    most.browser = Math.max(most.browser, sum(sizes))
    most.seconds = secondsOf(processes) - before
  }
  let goesOn = true
  const watching = (async () => {
    while (goesOn) {
      await watch()
      await new Promise(resolve => setTimeout(resolve, 500))
    }
  })()
  return {
    async stop() {
      goesOn = false
      await watching
      await watch()
      await session.detach()
      return most
    },
  }
}

async function megabytesOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
