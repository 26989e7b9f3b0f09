import { useEffect, useEffectEvent } from 'react'
import { defaultOrder } from '#contract/media-list.ts'
import { useMe } from '../kit/me.tsx'
import { namesByDefault, useGalleryAddress } from './gallery-address.ts'
import { adoptView } from './view-preference.ts'

let started = false

/** Opens the gallery as the person chose in their settings, once; later they may show it in another way. */
export function useStartView(): void {
  const me = useMe()
  const [{ sort }, change] = useGalleryAddress()
  const start = useEffectEvent(() => {
    if (started || me === null) return
    started = true
    if (me.start_view) adoptView(me.start_view)
    const wanted = me.start_sort ?? 'date'
    if (window.location.search !== '' || wanted === sort) return
    change({ sort: wanted, order: defaultOrder(wanted), names: namesByDefault(wanted) }, { replace: true })
  })
  useEffect(() => start(), [])
}
