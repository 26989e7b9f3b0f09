import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/IconButton.tsx'
import { useChat } from './ChatProvider.tsx'
import { texts } from './texts.ts'

interface Props {
  /** Before the title. */
  start?: ReactNode
  title: string
  /** Below the title. */
  detail?: ReactNode
  children?: ReactNode
}

export function ChatHeader({ start, title, detail, children }: Props) {
  const { close } = useChat()
  return (
    <div className="flex min-h-14 shrink-0 items-center gap-1 border-line border-b bg-raised py-1 pr-1 pl-1">
      {start ?? <span className="w-3" />}
      <div className="min-w-0 flex-1">
        <h2 className="truncate font-semibold leading-tight" dir="auto">
          {title}
        </h2>
        {detail !== undefined && <p className="truncate text-fine text-ink-soft">{detail}</p>}
      </div>
      {children}
      <IconButton label={texts.close} onClick={close}>
        <X aria-hidden="true" className="size-5" />
      </IconButton>
    </div>
  )
}
