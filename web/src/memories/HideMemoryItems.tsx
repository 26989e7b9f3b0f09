import { CalendarOff, EyeOff } from 'lucide-react'
import type { ViewedFile } from '../media/viewed-file.ts'
import { MenuItem, MenuSeparator } from '../ui/Menu.tsx'
import { formatFullDay } from './dates.ts'
import { useHideDay, useHidePhoto } from './queries.ts'
import { texts } from './texts.ts'

/** Of the viewer's menu, for the memories of a day. `onDone` leaves them when nothing more is to be seen. */
export function useHideMemoryItems(date: string | null, onDone: () => void) {
  const hidePhoto = useHidePhoto()
  const hideDay = useHideDay()
  if (date === null) return () => undefined

  function hideThis({ id, next, previous, onOpen }: ViewedFile) {
    const neighbour = next ?? previous
    if (neighbour === undefined) onDone()
    else onOpen(neighbour)
    void hidePhoto.run({ params: { id } })
  }

  function hideAll(day: string) {
    onDone()
    void hideDay.run({ params: { date: day } })
  }
  return (viewed: ViewedFile) => (
    <>
      <MenuItem icon={<EyeOff aria-hidden="true" className="size-5" />} onClick={() => hideThis(viewed)}>
        {texts.hidePhoto.inMenu}
      </MenuItem>
      <MenuItem icon={<CalendarOff aria-hidden="true" className="size-5" />} onClick={() => hideAll(date)}>
        {texts.hideDay.inMenu({ date: formatFullDay(date) })}
      </MenuItem>
      <MenuSeparator />
    </>
  )
}
