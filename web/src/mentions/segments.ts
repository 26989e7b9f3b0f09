import { mentionsIn } from '#contract/mentions.ts'

/** A part of a text. */
export type Segment =
  | { kind: 'plain'; text: string; start: number }
  | { kind: 'mention'; text: string; start: number; username: string }
  | { kind: 'link'; text: string; start: number; address: string }

/** Only http(s): a link must never run code. */
const link = /\b(?:https?:\/\/|www\.)[^\s<>"]+/giu

export function segmentsOf(text: string, usernames: ReadonlySet<string>): Segment[] {
  const links = linksIn(text)
  const isInLink = (at: number) => links.some(({ start, text }) => at >= start && at < start + text.length)
  const mentions = mentionsIn(text, usernames)
    .filter(({ start }) => !isInLink(start))
    .map(({ username, start, end }): Segment => ({ kind: 'mention', text: text.slice(start, end), start, username }))
  const marked = [...links, ...mentions].sort((a, b) => a.start - b.start)

  const segments: Segment[] = []
  let at = 0
  for (const segment of marked) {
    if (segment.start > at) segments.push({ kind: 'plain', text: text.slice(at, segment.start), start: at })
    segments.push(segment)
    at = segment.start + segment.text.length
  }
  if (at < text.length) segments.push({ kind: 'plain', text: text.slice(at), start: at })
  return segments
}

function linksIn(text: string): Segment[] {
  return [...text.matchAll(link)].flatMap((match): Segment[] => {
    const shown = withoutSentenceEnd(match[0])
    const address = webAddress(shown)
    return address === undefined ? [] : [{ kind: 'link', text: shown, start: match.index, address }]
  })
}

/** Drops punctuation at the end of the sentence, and a closing bracket that was opened before the link. */
function withoutSentenceEnd(address: string): string {
  let shown = address
  for (;;) {
    const last = shown.at(-1) ?? ''
    const opened = last === ')' && count(shown, '(') >= count(shown, ')')
    if (opened || !/[.,;:!?)'’”\]}*_]/u.test(last)) return shown
    shown = shown.slice(0, -1)
  }
}

function count(text: string, letter: string): number {
  return text.split(letter).length - 1
}

function webAddress(shown: string): string | undefined {
  const whole = /^www\./i.test(shown) ? `https://${shown}` : shown
  if (!URL.canParse(whole)) return undefined
  const { protocol, href } = new URL(whole)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
