import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type Meaning, meaningOf, takesKey } from './keys.ts'

/** Keys work wherever in the viewer the focus is, except where something is written or a menu is open. */
export function useViewerKeys(viewer: RefObject<HTMLElement | null>, act: Record<Meaning, () => void>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    const meaning = meaningOf(event)
    if (meaning === undefined || event.defaultPrevented || !(target instanceof Element)) return
    // The focus may fall to the page behind, where nothing can be done now; in another dialog it is not ours.
    const dialog = target.closest('[role=dialog], [role=alertdialog]')
    const ours = dialog === null || dialog === viewer.current
    if (!ours || takesKey(target, event.key)) return
    event.preventDefault()
    act[meaning]()
  })
  useEffect(() => {
    // On the way down: on the way up the dialog keeps arrow keys to itself.
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])
}
