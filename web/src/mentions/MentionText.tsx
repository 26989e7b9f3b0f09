import { useMemo } from 'react'
import type { Person } from '#contract/people.ts'
import { segmentsOf } from './segments.ts'

interface Props {
  text: string
  people: readonly Person[]
}

/** Text with mentions and links; everything else is plain text. */
export function MentionText({ text, people }: Props) {
  const nameOf = useMemo(() => new Map(people.map(({ username, name }) => [username, name])), [people])
  const segments = useMemo(() => segmentsOf(text, new Set(nameOf.keys())), [text, nameOf])
  return (
    <span dir="auto" className="wrap-anywhere whitespace-pre-wrap">
      {segments.map(segment => {
        if (segment.kind === 'plain') return segment.text
        if (segment.kind === 'mention') {
          return (
            <span key={segment.start} title={nameOf.get(segment.username)} className="font-semibold underline">
              {segment.text}
            </span>
          )
        }
        return (
          <a
            key={segment.start}
            href={segment.address}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="underline decoration-1 underline-offset-2"
          >
            {segment.text}
          </a>
        )
      })}
    </span>
  )
}
