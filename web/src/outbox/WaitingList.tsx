import { X } from 'lucide-react'
import { outbox, type ShownCall } from '../kit/outbox/page-outbox.ts'
import { texts } from '../kit/outbox/texts.ts'
import { useKeepFocus } from '../ui/hooks.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { WaitingMark } from '../ui/WaitingMark.tsx'
import { nameInWords } from './words.ts'

/** What waits to be sent, each with a button that discards it. */
export function WaitingList({ calls }: { calls: readonly ShownCall[] }) {
  const keepFocus = useKeepFocus<HTMLUListElement>()
  if (calls.length === 0) return null
  return (
    <ul {...keepFocus} className="flex flex-col gap-2 focus-visible:outline-none">
      {calls.map(call => (
        <WaitingItem key={call.id} call={call} />
      ))}
    </ul>
  )
}

function WaitingItem({ call }: { call: ShownCall }) {
  const name = nameInWords(call)
  return (
    <li className="flex min-h-touch items-start justify-between gap-2 rounded-card border border-line border-dashed bg-raised px-3 py-2">
      <p className="wrap-anywhere min-w-0 whitespace-pre-line" dir="auto">
        {'content' in call && call.content !== '' ? call.content : name}
        <span className="block text-ink-soft">
          <WaitingMark label={texts.waiting} />
        </span>
      </p>
      <IconButton label={texts.discardNamed({ what: name })} onClick={() => void outbox.discard(call.id)}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  )
}
