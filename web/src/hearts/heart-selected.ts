import { useQueryClient } from '@tanstack/react-query'
import { Heart, HeartOff } from 'lucide-react'
import { areHearted, useSetHearts } from './hearts.ts'
import { texts } from './texts.ts'

/** Adds the selected files to the favourites or, if all of them are there, removes them. Undefined for people who may not. */
export function useHeartSelected({ on, ids }: { on: boolean; ids: ReadonlySet<number> }) {
  const client = useQueryClient()
  const setHearts = useSetHearts()
  if (setHearts === undefined) return undefined
  const hearted = on && areHearted(client, ids)
  return {
    label: hearted ? texts.remove : texts.add,
    shortLabel: texts.favourites,
    icon: hearted ? HeartOff : Heart,
    run: () => void setHearts([...ids], !hearted),
  }
}
