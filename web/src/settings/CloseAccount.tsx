import { UserRoundX } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { toast } from 'sonner'
import type { User } from '#contract/people.ts'
import { closeMyAccount } from '#contract/settings.ts'
import { useAction } from '../kit/action.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

const words = texts.close

interface Props {
  user: User
  /** Forgets what this device has of the account. */
  onClosed: () => void
}

export function CloseAccount({ user, onClosed }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Section heading={words.heading}>
      <p className="text-ink-soft">{words.text}</p>
      <Button
        variant="dangerQuiet"
        icon={<UserRoundX aria-hidden="true" className="size-5" />}
        onClick={() => setOpen(true)}
      >
        {words.open}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={words.title}>
        <CloseForm user={user} onCancel={() => setOpen(false)} onClosed={onClosed} />
      </Dialog>
    </Section>
  )
}

function CloseForm({ user, onCancel, onClosed }: Props & { onCancel: () => void }) {
  const [keepName, setKeepName] = useState(true)
  const [username, setUsername] = useState('')
  const radioName = useId()
  const close = useAction(closeMyAccount, {
    failure: words.failure,
    changes: [],
    whenDone() {
      toast.success(words.done)
      onClosed()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    void close.run({ body: { username, keep_name: keepName } })
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {(['download', 'stays', 'ends', 'again'] as const).map(part => (
        <p key={part} className="text-ink-soft">
          {words[part]}
        </p>
      ))}
      <fieldset className="flex flex-col">
        <legend className="mb-1 font-semibold text-small">{words.name}</legend>
        {[true, false].map(keeps => (
          <label key={String(keeps)} className="flex min-h-touch cursor-pointer items-center gap-3">
            <input
              type="radio"
              name={radioName}
              checked={keepName === keeps}
              onChange={() => setKeepName(keeps)}
              className="size-5 shrink-0 accent-accent"
            />
            <span className="wrap-anywhere min-w-0">
              {keeps ? words.keepName({ name: user.name }) : words.removeName}
            </span>
          </label>
        ))}
      </fieldset>
      <TextField
        label={words.confirm({ username: user.username })}
        value={username}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={setUsername}
      />
      <DialogButtons>
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button type="submit" variant="danger" busy={close.busy}>
          {words.label}
        </Button>
      </DialogButtons>
    </form>
  )
}
