import { Heart } from 'lucide-react'
import type { ComponentProps } from 'react'
import { shownCount } from './counts-in-words.ts'
import { useHeartsOf } from './hearts.ts'
import { useLovedBy } from './LovedBy.tsx'
import { texts } from './texts.ts'

interface Props extends Pick<ComponentProps<'button'>, 'aria-label' | 'title' | 'tabIndex' | 'onClick' | 'className'> {
  hearts: number
  hearted: boolean
  /** Over a photo it is drawn by `hearts.css`: there are hundreds of tiles. */
  onPhoto?: boolean
}

/** How many people love a file, and by a filled heart that this person does. `data-part` is for the events of a grid. */
export function HeartButton({ hearts, hearted, onPhoto = false, ...button }: Props) {
  const count = shownCount(hearts, hearted)
  return (
    <button {...button} type="button" data-part="heart" data-loved={hearts > 0 || undefined}>
      {onPhoto ? (
        <span data-hearted={hearted || undefined} data-count={count} />
      ) : (
        <>
          <Heart aria-hidden="true" className={`size-4.5 shrink-0 ${hearted ? 'fill-current text-accent' : ''}`} />
          {count}
        </>
      )}
    </button>
  )
}

/** The heart of one file, with the words for its button: they say who loves it. */
export function useHeart(fileId: number) {
  const { hearted, count, people } = useHeartsOf(fileId)
  const lovedBy = useLovedBy(people)
  const act = hearted ? texts.remove : texts.add
  return { hearted, count, act, lovedBy, label: lovedBy === undefined ? act : `${act}. ${lovedBy}` }
}
