import { History } from 'lucide-react'
import { MenuItem } from '../ui/Menu.tsx'
import { setLastChangesOpen } from './dialog-store.ts'
import { texts } from './texts.ts'

/** In the menu of a person. `LastChanges` shows what it opens. */
export function LastChangesItem() {
  return (
    <MenuItem icon={<History aria-hidden="true" className="size-5" />} onClick={() => setLastChangesOpen(true)}>
      {texts.title}
    </MenuItem>
  )
}
