import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { visits } from '#contract/limits.ts'
import {
  type Card,
  type GalleryTop,
  galleryTop,
  hideMemory,
  hideMemoryDay,
  putCardAway,
  recordVisit,
  showCardAgain,
  showMemory,
  showMemoryDay,
} from '#contract/memories.ts'
import { currentDay } from '#contract/read-date.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import type { Change } from '../kit/changes.ts'
import { endpointKey, query } from '../kit/queries.ts'
import { undoStep } from '../kit/undo.ts'
import { formatFullDay } from './dates.ts'
import { texts } from './texts.ts'

const changes: Change[] = [{ kind: 'memories' }]

/** Part of the first screen: `app/start.ts` puts it into the cache. */
export function topQuery(today: string) {
  return { ...query(galleryTop, { query: { today } }), staleTime: 60_000 }
}

/** The card is gone at once, whatever the server says later. */
export function usePutAway() {
  const client = useQueryClient()
  const { run } = useAction(putCardAway, {
    success: texts.top.putAwayDone,
    failure: texts.top.putAwayFailed,
    changes,
    undo: (_, { params }) => [undoStep(() => call(showCardAgain, { params }))],
  })
  return ({ key, until }: Card) => {
    client.setQueriesData<GalleryTop>(
      { queryKey: endpointKey(galleryTop) },
      top => top && { cards: top.cards.filter(card => card.key !== key) },
    )
    void run({ params: { card: key }, body: { until } })
  }
}

export function useHideDay() {
  return useAction(hideMemoryDay, {
    success: (_, { params: { date } }) => texts.hideDay.success({ date: formatFullDay(date) }),
    failure: texts.hideFailed,
    changes,
    undo: (_, { params }) => [undoStep(() => call(showMemoryDay, { params }))],
  })
}

export function useHidePhoto() {
  return useAction(hideMemory, {
    success: texts.hidePhoto.success,
    failure: texts.hideFailed,
    changes,
    undo: (_, { params }) => [undoStep(() => call(showMemory, { params }))],
  })
}

/** Says that the person is there: when the page opens, when it is looked at again, and while it is used. */
export function useRecordVisits(): void {
  const client = useQueryClient()
  useEffect(() => {
    let recordedAt = Number.NEGATIVE_INFINITY
    async function record() {
      if (document.visibilityState !== 'visible' || Date.now() - recordedAt < visits.recordEvery) return
      const isFirst = recordedAt === Number.NEGATIVE_INFINITY
      recordedAt = Date.now()
      try {
        const { began } = await call(recordVisit, {})
        // The first screen has it already.
        if (began && !isFirst) await client.invalidateQueries({ queryKey: endpointKey(galleryTop) })
      } catch {
        // The next click tries again.
        recordedAt = Number.NEGATIVE_INFINITY
      }
    }
    const signs = ['visibilitychange', 'pointerdown', 'keydown', 'wheel'] as const
    const listener = () => void record()
    for (const sign of signs) document.addEventListener(sign, listener, { passive: true })
    // Before the gallery is shown, so that nothing moves when it is.
    void client.prefetchQuery(topQuery(currentDay())).then(record)
    return () => {
      for (const sign of signs) document.removeEventListener(sign, listener)
    }
  }, [client])
}
