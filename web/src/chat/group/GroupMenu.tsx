import { EllipsisVertical, LogOut, Pencil, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#contract/chat.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import { useIsMounted } from '../../ui/use-is-mounted.ts'
import { useChat } from '../ChatProvider.tsx'
import { useLeaveGroup } from '../queries.ts'
import { texts } from '../texts.ts'
import { AddPeople } from './AddPeople.tsx'
import { RenameGroup } from './RenameGroup.tsx'

interface Props {
  conversation: Conversation
  onLeft: () => void
}

type Asked = 'rename' | 'add' | 'leave'

/** What can be done to a group, and who is in it. */
export function GroupMenu({ conversation, onLeft }: Props) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const leave = useLeaveGroup()
  const here = useIsMounted()
  const close = () => setAsked(null)
  const opening = (what: Asked) => ({
    open: asked === what,
    onOpenChange: (open: boolean) => setAsked(open ? what : null),
  })

  async function confirmLeave() {
    close()
    if ((await leave.run({ params: { id: conversation.id } })) && here()) onLeft()
  }
  return (
    <>
      <Menu
        trigger={
          <IconButton label={texts.group.menu}>
            <EllipsisVertical aria-hidden="true" className="size-5" />
          </IconButton>
        }
      >
        <Members conversation={conversation} />
        <MenuSeparator />
        <MenuItem icon={<Pencil aria-hidden="true" className="size-5" />} onClick={() => setAsked('rename')}>
          {texts.group.rename}
        </MenuItem>
        <MenuItem icon={<UserPlus aria-hidden="true" className="size-5" />} onClick={() => setAsked('add')}>
          {texts.group.add}
        </MenuItem>
        <MenuItem icon={<LogOut aria-hidden="true" className="size-5" />} onClick={() => setAsked('leave')}>
          {texts.group.leave}
        </MenuItem>
      </Menu>
      <RenameGroup {...opening('rename')} conversation={conversation} onDone={close} />
      <AddPeople {...opening('add')} conversation={conversation} onDone={close} />
      <ConfirmDialog
        {...opening('leave')}
        title={texts.group.leaveQuestion(conversation.title)}
        text={texts.group.leaveText}
        confirmLabel={texts.group.leaveConfirm}
        cancelLabel={texts.group.cancel}
        onConfirm={() => void confirmLeave()}
      />
    </>
  )
}

function Members({ conversation: { participants } }: { conversation: Conversation }) {
  const { me } = useChat()
  const names = participants.map(({ id, name }) => (id === me.id ? texts.group.you : name))
  return (
    <div className="max-w-64 px-3 py-1">
      <p className="text-fine text-ink-soft">{texts.group.members}</p>
      <p className="line-clamp-4 text-small" dir="auto">
        {new Intl.ListFormat(undefined).format(names)}
      </p>
    </div>
  )
}
