import { Heart } from 'lucide-react'
import type { Person } from '#contract/people.ts'
import { useMe } from '../kit/me.tsx'
import { locale } from '../kit/messages.ts'
import { useHeartsOf } from './hearts.ts'
import { texts } from './texts.ts'

// American English would write a comma before "and".
const list = new Intl.ListFormat(locale === 'en' ? 'en-GB' : locale)

/** As in "Loved by you, Rose and Ben"; undefined where nobody does. */
export function useLovedBy(people: readonly Person[] | undefined): string | undefined {
  const me = useMe()
  if (people === undefined || people.length === 0) return undefined
  const others = people.filter(({ id }) => id !== me?.id).map(({ name }) => name)
  const names = others.length === people.length ? others : [texts.you, ...others]
  return texts.lovedBy({ names: list.format(names) })
}

/** Who loves a file, in its details. Takes no room where nobody does. */
export function LovedBy({ fileId }: { fileId: number }) {
  const lovedBy = useLovedBy(useHeartsOf(fileId).people)
  if (lovedBy === undefined) return null
  return (
    <p className="flex items-start gap-2">
      <Heart aria-hidden="true" className="mt-0.5 size-5 shrink-0 fill-current text-accent" />
      <span className="wrap-anywhere min-w-0">{lovedBy}</span>
    </p>
  )
}
