import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { writeBounds } from '#contract/bounds.ts'
import { correctPlaces, listPlaces, mapClusters, mapExtent } from '#contract/places.ts'
import { useAction } from '../kit/action.ts'
import { partsOfChange } from '../kit/parts.ts'
import { query } from '../kit/queries.ts'
import { undoOfChange } from '../kit/undo.ts'
import { usePollInterval } from '../live/status.ts'
import { boundsOf, type Size, type View } from '../map/view.ts'
import { texts } from './texts.ts'

const POLL_INTERVAL = 60_000

/** The clusters of a part of the map, a little larger than what is in sight. The previous ones stay while they load. */
export function useClusters(settled: { view: View; size: Size } | null) {
  const bounds = settled === null ? '' : writeBounds(boundsOf(settled.view, settled.size, 'whole'))
  const zoom = Math.round(settled?.view.zoom ?? 0)
  return useQuery({
    ...query(mapClusters, { query: { bounds, zoom } }, texts.loadFailed),
    enabled: bounds !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: usePollInterval(POLL_INTERVAL),
  })
}

/** The part of the map that has photos. */
export function useExtent() {
  return useQuery({ ...query(mapExtent, {}, texts.loadFailed), staleTime: 60_000 })
}

export function usePlaces() {
  return useQuery({
    ...query(listPlaces, {}, texts.places.loadFailed),
    refetchInterval: usePollInterval(POLL_INTERVAL),
  })
}

export function useCorrectPlaces() {
  return useAction(correctPlaces, {
    success: ({ changed, location }, { body }) => correctedInWords(changed, body.place === null ? null : location),
    failure: texts.correct.failure,
    changes: ({ body }) => [{ kind: 'media', ids: body.fileIds }],
    undo: undoOfChange,
    parts: partsOfChange(),
  })
}

/** The place that the files have now; null: none, or each its own. */
function correctedInWords(count: number, place: string | null): string {
  const { unchanged, changed, changedTo } = texts.correct
  if (count === 0) return unchanged
  return place === null ? changed({ count }) : changedTo({ count, place })
}
