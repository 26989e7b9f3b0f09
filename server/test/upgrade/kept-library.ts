import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { guestOf } from '../fixtures/guests.ts'
import { type Visitor, visitor } from '../visitor.ts'

/** What is kept of a small library that a release made: `backup` as its own `npm run backup` wrote it, and this file beside it. */
export interface KeptLibrary {
  /** When it was made: to be read with the clock at that time, so that sessions, links and "On this day" are as they were. */
  madeAt: number
  /** Sessions by the name of the person. */
  tokens: Record<string, string>
  /** The links that a guest can open, with what it takes. */
  links: { id: number; token: string; password?: string }[]
  /** What the API answered, by "name path". */
  answers: Record<string, unknown>
}

export const keptFolder = (version: string) => fileURLToPath(new URL(`./${version}`, import.meta.url))

export async function readKept(version: string): Promise<KeptLibrary> {
  return JSON.parse(await readFile(`${keptFolder(version)}/library.json`, 'utf8'))
}

/** Asks the API for each of these again: "name path", or "link 0 /files" for a guest of the first link. */
export async function ask(
  library: { url: URL },
  { tokens, links }: Pick<KeptLibrary, 'tokens' | 'links'>,
  questions: readonly string[],
): Promise<Record<string, unknown>> {
  const people = new Map(Object.entries(tokens).map(([name, token]) => [name, visitor(library.url, token)]))
  const answers: Record<string, unknown> = {}
  for (const question of questions) {
    const [name = '', path = '', guestPath = ''] = question.split(' ')
    answers[question] = await (name === 'link'
      ? guestAnswer(library, links[Number(path)], guestPath)
      : answer(people.get(name), path, question))
  }
  return answers
}

async function answer(person: Visitor | undefined, path: string, question: string): Promise<unknown> {
  const response = await person?.fetch(path)
  if (response?.status !== 200) throw new Error(`${question} answered ${response?.status}: ${await response?.text()}`)
  return withoutAddresses(await response.json())
}

async function guestAnswer(library: { url: URL }, link: KeptLibrary['links'][number] | undefined, path: string) {
  if (!link) throw new Error('There is no such link')
  const guest = guestOf(library, link)
  const { status, answer } = await guest.open(link.password)
  if (status !== 200) throw new Error(`Link ${link.id} answered ${status}`)
  const response = await guest.fetch(path)
  return { opened: withoutAddresses(answer), answer: withoutAddresses(await response.json()) }
}

/** Without signed addresses, which differ each time, and how often a link was opened, which asking changes. */
function withoutAddresses(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part) => (isAddress(part) || counted.has(key) ? undefined : part)))
}

const counted = new Set(['views', 'last_viewed_at'])
const isAddress = (part: unknown) => typeof part === 'string' && /^(https?:\/)?\/[^ ]*$/.test(part)
