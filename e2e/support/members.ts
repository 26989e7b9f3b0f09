import type { BrowserContextOptions, Page } from '@playwright/test'
import { listPeople } from '#contract/people.ts'
import { type Visitor, visitor } from '../../server/test/visitor.ts'
import { deleteWelcome } from './caller.ts'
import { type ConnectionProxy, openConnectionProxy } from './connection-proxy.ts'
import { test as family } from './family.ts'
import { type DemoName, signedIn, tokenOf } from './session.ts'

/** A signed-in member: their page, and API calls for setting up what a test needs but does not test. */
export interface Member {
  id: number
  page: Page
  caller: Visitor
  /** The proxy between their page and the server. */
  line: ConnectionProxy
}

interface Fixtures {
  /** Signs a member in, in a separate browser context. */
  openAs: (name: Exclude<DemoName, 'kofi' | 'ines'>, options?: BrowserContextOptions) => Promise<Member>
}

/** For tests with several people online at once, each with a connection that can be cut. */
export const test = family.extend<Fixtures>({
  openAs: async ({ library, newDevice }, use) => {
    const lines: ConnectionProxy[] = []
    await use(async (name, options = {}) => {
      const token = await tokenOf(library.url, name)
      const caller = visitor(new URL(library.url), token, 'straight')
      await deleteWelcome(caller)
      const line = await openConnectionProxy(library.url)
      lines.push(line)
      const device = { baseURL: line.url, ...signedIn(line.url, token), ...options }
      const page = await newDevice({ reducedMotion: 'reduce', locale: 'en-GB', ...device })
      await page.goto('/')
      const me = (await caller.call(listPeople)).find(({ username }) => username === name)
      if (me === undefined) throw new Error(`${name} is not in the family`)
      return { id: me.id, page, caller, line }
    })
    for (const line of lines) line.close()
  },
})

export { expect } from './family.ts'
