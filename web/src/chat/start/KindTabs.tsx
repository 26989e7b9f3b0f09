import { Tabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import type { NewConversationDraft } from './new-conversation-draft.ts'

type Kind = NewConversationDraft['kind']

interface Props {
  kind: Kind
  onChoose: (kind: Kind) => void
  children: ReactNode
}

const kinds = [
  ['direct', texts.start.direct],
  ['group', texts.start.group],
] as const

/** Both kinds share one panel: choosing a second person changes the kind, and must not take the focus from the list. */
export function KindTabs({ kind, onChoose, children }: Props) {
  return (
    <Tabs.Root value={kind} onValueChange={onChoose}>
      <Tabs.List aria-label={texts.start.tabs} className="-mb-px relative flex pt-1">
        {kinds.map(([value, label]) => (
          <Tabs.Tab key={value} value={value} className="tab min-h-touch flex-1 px-3 py-2 font-semibold">
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={kind} className="flex flex-col gap-3 rounded-card rounded-t-none border border-line p-3">
        {children}
      </Tabs.Panel>
    </Tabs.Root>
  )
}
