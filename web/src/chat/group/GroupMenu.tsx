import { EllipsisVertical, LogOut, Pencil, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#contract/chat.ts'
import { lengths } from '#contract/limits.ts'
import { region } from '../../kit/messages.ts'
import { usePeople } from '../../mentions/people.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { useIsMounted } from '../../ui/hooks.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useChat } from '../ChatProvider.tsx'
import { PeoplePicker } from '../people/PeoplePicker.tsx'
import { useAddToGroup, useLeaveGroup, useRenameGroup } from '../queries.ts'
import { texts } from '../texts.ts'

interface Props {
  conversation: Conversation
  onLeft: () => void
}

type MenuDialog = 'rename' | 'add' | 'leave'

/** The members of a group and the actions on it. */
export function GroupMenu({ conversation, onLeft }: Props) {
  const [openDialog, setOpenDialog] = useState<MenuDialog | null>(null)
  const leave = useLeaveGroup()
  const isMounted = useIsMounted()
  const close = () => setOpenDialog(null)
  const opening = (dialog: MenuDialog) => ({
    open: openDialog === dialog,
    onOpenChange: (open: boolean) => setOpenDialog(open ? dialog : null),
  })

  async function confirmLeave() {
    close()
    if ((await leave.run({ params: { id: conversation.id } })) && isMounted()) onLeft()
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
        <MenuItem icon={<Pencil aria-hidden="true" className="size-5" />} onClick={() => setOpenDialog('rename')}>
          {texts.group.rename}
        </MenuItem>
        <MenuItem icon={<UserPlus aria-hidden="true" className="size-5" />} onClick={() => setOpenDialog('add')}>
          {texts.group.add}
        </MenuItem>
        <MenuItem icon={<LogOut aria-hidden="true" className="size-5" />} onClick={() => setOpenDialog('leave')}>
          {texts.group.leave}
        </MenuItem>
      </Menu>
      <RenameGroup {...opening('rename')} conversation={conversation} onDone={close} />
      <AddPeople {...opening('add')} conversation={conversation} onDone={close} />
      <ConfirmDialog
        {...opening('leave')}
        title={texts.group.leaveQuestion({ title: conversation.title })}
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
        {new Intl.ListFormat(region).format(names)}
      </p>
    </div>
  )
}

interface GroupDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  conversation: Conversation
  onDone: () => void
}

function RenameGroup({ open, onOpenChange, conversation, onDone }: GroupDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={texts.group.rename}>
      <RenameGroupForm conversation={conversation} onDone={onDone} />
    </Dialog>
  )
}

function RenameGroupForm({ conversation: { id, title }, onDone }: Pick<GroupDialogProps, 'conversation' | 'onDone'>) {
  const [name, setName] = useState(title)
  const rename = useRenameGroup()
  const isMounted = useIsMounted()
  const wanted = name.trim()

  async function save() {
    if (wanted === '') return
    const worked = wanted === title || (await rename.run({ params: { id }, body: { title: wanted } }))
    if (worked && isMounted()) onDone()
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField label={texts.start.groupName} value={name} maxLength={lengths.groupTitle} onChange={setName} />
      <DialogButtons>
        <Button onClick={onDone}>{texts.group.cancel}</Button>
        <Button variant="primary" type="submit" disabled={wanted === ''} busy={rename.busy}>
          {texts.group.save}
        </Button>
      </DialogButtons>
    </form>
  )
}

function AddPeople({ open, onOpenChange, conversation, onDone }: GroupDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={texts.group.add}>
      <AddPeopleForm conversation={conversation} onDone={onDone} />
    </Dialog>
  )
}

function AddPeopleForm({
  conversation: { id, participants },
  onDone,
}: Pick<GroupDialogProps, 'conversation' | 'onDone'>) {
  const [chosen, setChosen] = useState<readonly number[]>([])
  const add = useAddToGroup()
  const isMounted = useIsMounted()
  const others = usePeople().filter(person => !participants.some(({ id }) => id === person.id))

  function toggle(person: number) {
    setChosen(chosen.includes(person) ? chosen.filter(other => other !== person) : [...chosen, person])
  }

  async function confirm() {
    const worked = await add.run({ params: { id }, body: { participantIds: [...chosen] } })
    if (worked && isMounted()) onDone()
  }
  return (
    <>
      <PeoplePicker people={others} chosen={chosen} onToggle={toggle} />
      <DialogButtons>
        <Button onClick={onDone}>{texts.group.cancel}</Button>
        <Button variant="primary" disabled={chosen.length === 0} busy={add.busy} onClick={() => void confirm()}>
          {texts.group.addButton({ count: chosen.length })}
        </Button>
      </DialogButtons>
    </>
  )
}
