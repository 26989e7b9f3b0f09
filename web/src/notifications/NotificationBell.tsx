import { Bell } from 'lucide-react'
import { IconButton } from '../ui/IconButton.tsx'
import { Panel } from '../ui/Panel.tsx'
import { texts } from './texts.ts'

export function NotificationBell() {
  return (
    <Panel
      title={texts.title}
      closeLabel={texts.close}
      trigger={
        <IconButton label={texts.title}>
          <Bell aria-hidden="true" className="size-5" />
        </IconButton>
      }
    >
      <p className="py-8 text-center text-ink-soft">{texts.empty}</p>
    </Panel>
  )
}
