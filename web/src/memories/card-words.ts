import type { Card } from '#contract/memories.ts'
import { filterPath } from '../kit/filter-path.ts'
import { texts } from './texts.ts'

/** The one line that a card says, as in "Kofi added 29 photos" or "11 years ago in Williams". */
export function cardInWords(card: Card): string {
  switch (card.kind) {
    case 'added':
      return texts.top.added({ name: card.person.name, count: card.count, kind: kindOf(card) })
    case 'memory':
      return memoryInWords(card)
    case 'guests':
      return texts.top.guests({ count: card.count })
    case 'hearts':
      return texts.top.hearts({ name: card.person.name, count: card.count, kind: kindOf(card) })
  }
}

/** As in "7 years ago in Lisbon"; its place is "Lisbon, Portugal". */
export function memoryInWords({ years, place }: { years: number; place: string | null }): string {
  const town = place?.split(',')[0]
  return town === undefined ? texts.ago({ years }) : texts.top.memoryIn({ years, place: town })
}

function kindOf({ count, images }: { count: number; images: number }): 'photo' | 'video' | 'other' {
  return images === count ? 'photo' : images === 0 ? 'video' : 'other'
}

/** The list of all that a card is about. */
export function listOfCard(card: Card, myId: number): string {
  switch (card.kind) {
    case 'added':
      return filterPath({ uploader: card.person.id, added: `${card.from}/${card.until}` })
    case 'memory':
      return filterPath({ memory: card.date })
    case 'guests':
      return '/guest-uploads'
    case 'hearts':
      return filterPath({ hearted_by: card.person.id, uploader: myId })
  }
}
