import type { BrowserContextOptions, Page } from '@playwright/test'
import { listPeople } from '#contract/people.ts'
import { type Visitor, visitor } from '../../server/test/visitor.ts'
import { forgetWelcome } from './caller.ts'
import { test as family } from './family.ts'
import { type Line, openLine } from './line.ts'
import { type DemoName, signedIn, tokenOf } from './session.ts'

/** A member of the family: the device they sit at, and their own calls for what a test needs but is not about. */
export interface Member {
  id: number
  page: Page
  caller: Visitor
  /** Between their device and the library. */
  line: Line
}

interface Fixtures {
  /** Signs somebody in, on a device of their own. */
  sit: (name: Exclude<DemoName, 'kofi' | 'ines'>, options?: BrowserContextOptions) => Promise<Member>
}

/** For tests in which several people are there at once, each with a line to the library that can be cut. */
export const test = family.extend<Fixtures>({
  sit: async ({ library, newDevice }, use) => {
    const lines: Line[] = []
    await use(async (name, options = {}) => {
      const token = await tokenOf(library.url, name)
      const caller = visitor(new URL(library.url), token, 'straight')
      await forgetWelcome(caller)
      const line = await openLine(library.url)
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
