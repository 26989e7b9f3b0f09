import { MessageCircle } from 'lucide-react'
import { FloatingButton } from '../ui/FloatingButton.tsx'
import { Panel } from '../ui/Panel.tsx'
import { texts } from './texts.ts'

/** Floats at the bottom right of every signed-in screen. */
export function ChatButton() {
  return (
    <Panel
      side="top"
      title={texts.title}
      closeLabel={texts.close}
      trigger={
        <FloatingButton label={texts.title}>
          <MessageCircle aria-hidden="true" className="size-6" />
        </FloatingButton>
      }
    >
      <div className="flex flex-col gap-1 py-8 text-center">
        <p className="font-semibold">{texts.empty.title}</p>
        <p className="text-ink-soft">{texts.empty.text}</p>
      </div>
    </Panel>
  )
}
