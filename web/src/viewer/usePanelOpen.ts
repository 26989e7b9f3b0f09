import { useState } from 'react'

/** Whether the panel is open: at first where there is room for it, and whenever it is what somebody comes for. */
export function usePanelOpen(hasRoom: boolean, wanted: boolean) {
  const [open, setOpen] = useState(hasRoom || wanted)
  const [wantedBefore, setWantedBefore] = useState(wanted)
  if (wanted !== wantedBefore) {
    setWantedBefore(wanted)
    if (wanted) setOpen(true)
  }
  return { open, toggle: () => setOpen(!open) }
}
