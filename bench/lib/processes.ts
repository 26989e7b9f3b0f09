import { readFile } from 'node:fs/promises'
import type { Browser } from '@playwright/test'

export interface Consumption {
  /** Megabytes, at most: the largest page with its workers, and the whole browser. */
  page: number
  browser: number
  /** Seconds that the processors worked for the browser. */
  seconds: number
}

/** Looks twice a second at what the processes of the browser take, each with its share of the memory that is common. */
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
