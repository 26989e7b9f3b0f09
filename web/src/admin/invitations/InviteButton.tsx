import { UserRoundPlus } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { toast } from 'sonner'
import type { Answer } from '#contract/endpoint.ts'
import { createInvitation } from '#contract/invitations.ts'
import { lengths } from '#contract/limits.ts'
import { useAction } from '../../kit/action.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { InvitationLink } from './InvitationLink.tsx'
import { texts } from './texts.ts'

type Created = Answer<typeof createInvitation>

/** Opens the dialog that makes an invitation and then shows its link. */
export function InviteButton({ variant = 'soft' }: { variant?: 'primary' | 'soft' }) {
  const [open, setOpen] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)

  function show() {
    setCreated(null)
    setOpen(true)
  }
  const close = () => setOpen(false)
  return (
    <>
      <Button variant={variant} icon={<UserRoundPlus aria-hidden="true" className="size-5" />} onClick={show}>
        {texts.make}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={created ? texts.ready.title : texts.title}>
        {created ? <InvitationLink {...created} onClose={close} /> : <Form onCreated={setCreated} onClose={close} />}
      </Dialog>
    </>
  )
}

function Form({ onCreated, onClose }: { onCreated: (created: Created) => void; onClose: () => void }) {
  const [who, setWho] = useState('anybody')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('member')
  const [autoApprove, setAutoApprove] = useState('true')
  const field = useRef<HTMLInputElement>(null)
  const create = useAction(createInvitation, {
    failure: texts.createFailed,
    changes: [{ kind: 'people' }],
    whenDone: onCreated,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const address = email.trim()
    if (who === 'one' && address === '') {
      toast.error(texts.emailMissing)
      return field.current?.focus()
    }
    void create.run({
      body: {
        email: who === 'one' ? address : null,
        role: role === 'viewer' ? 'viewer' : 'member',
        auto_approve: autoApprove === 'true',
      },
    })
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <SelectField
        label={texts.who.label}
        value={who}
        choices={[
          { value: 'anybody', label: texts.who.anybody },
          { value: 'one', label: texts.who.one },
        ]}
        onChange={setWho}
      />
      {who === 'one' && (
        <TextField
          ref={field}
          type="email"
          label={texts.email}
          value={email}
          maxLength={lengths.email}
          autoComplete="off"
          onChange={setEmail}
        />
      )}
      <SelectField
        label={texts.role.label}
        value={role}
        choices={[
          { value: 'member', label: texts.role.member },
          { value: 'viewer', label: texts.role.viewer },
        ]}
        onChange={setRole}
      />
      <SelectField
        label={texts.autoApprove.label}
        value={autoApprove}
        choices={[
          { value: 'true', label: texts.autoApprove.true },
          { value: 'false', label: texts.autoApprove.false },
        ]}
        onChange={setAutoApprove}
      />
      <DialogButtons>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" busy={create.busy}>
          {texts.create}
        </Button>
      </DialogButtons>
    </form>
  )
}
