import type { BrowserContextOptions } from '@playwright/test'
import { callbackPagePath, signInPath } from '#contract/auth.ts'
import { putCardAway } from '#contract/memories.ts'
import { Browser } from '../../server/test/browser.ts'
import { visitor } from '../../server/test/visitor.ts'

/** The demo people by their subjects at the demo provider. */
export type DemoName = 'ada' | 'ben' | 'rose' | 'kofi' | 'ines'

/** Signs a demo person in over HTTP, without a browser. */
export async function tokenOf(libraryUrl: string, person: DemoName): Promise<string> {
  const browser = new Browser(null)
  const choose = await browser.follow(new URL(signInPath, libraryUrl))
  const isBack = ({ pathname }: URL) => pathname === callbackPagePath
  const back = await browser.follow(choose, isBack, { method: 'POST', body: new URLSearchParams({ person }) })
  const token = back.searchParams.get('token')
  if (token === null) throw new Error(`${person} was sent to ${back} instead of let in`)
  // Whether today is a day of the test photos must not change what other tests see.
  const caller = visitor(new URL(libraryUrl), token, 'straight')
  const until = new Date().toISOString()
  await Promise.all(memoriesOfToday().map(card => caller.call(putCardAway, { params: { card }, body: { until } })))
  return token
}

/** The cards of today in the years of the test photos. */
export function memoriesOfToday(): string[] {
  const years = new Date().getFullYear() - FIRST_YEAR
  return Array.from({ length: years }, (_, i) => `memory:${FIRST_YEAR + i}${today().slice(4)}`)
}

const FIRST_YEAR = 2015

/** On the calendar of this machine and its browsers. */
export function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

const squares = JSON.stringify({ view: 'squares', density: { squares: 0, proportions: 0 } })

/** The browser storage of a person who is signed in at this address and has chosen the grid, whose columns tests count. */
export function signedIn(address: string, token: string): BrowserContextOptions {
  const { origin } = new URL(address)
  const localStorage = [
    { name: 'auth_token', value: token },
    { name: 'gallery-view', value: squares },
  ]
  return { storageState: { cookies: [], origins: [{ origin, localStorage }] } }
}
