import { type ReactNode, useState } from 'react'
import { links as limits } from '#contract/limits.ts'
import { Button } from '../ui/Button.tsx'
import { DialogButtons } from '../ui/Dialog.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { TextField } from '../ui/TextField.tsx'
import { texts } from './texts.ts'

type Expiry = keyof typeof texts.share.expiries | 'kept'

export interface LinkChoices {
  /** Empty: none. */
  title: string
  /** Empty: none, or the one that it has. */
  password: string
  removePassword: boolean
  /** Undefined: as it is. */
  days: number | null | undefined
  originals: boolean
  captions: boolean
}

interface Props {
  initialTitle: string
  initialOriginals?: boolean
  initialCaptions?: boolean
  /** Of an existing link: until when it works. */
  keptExpiry?: string
  /** Whether it has a password, which can be removed. */
  hasPassword?: boolean
  /** Whether guests send files by it and see none. */
  sendsOnly?: boolean
  /** The choice of how much they may send. */
  capacity?: ReactNode
  submit: string
  busy: boolean
  onSubmit: (choices: LinkChoices) => void
  onClose: () => void
  /** Who can see what. */
  children: string
}

/** What is chosen for a new link, and can be changed later. */
export function LinkForm({
  initialTitle,
  keptExpiry,
  hasPassword = false,
  sendsOnly = false,
  submit,
  busy,
  onSubmit,
  ...props
}: Props) {
  const [title, setTitle] = useState(initialTitle.slice(0, limits.title))
  const [expiry, setExpiry] = useState<Expiry>(keptExpiry === undefined ? '30' : 'kept')
  const [password, setPassword] = useState('')
  const [removePassword, setRemovePassword] = useState(false)
  const [originals, setOriginals] = useState(props.initialOriginals ?? false)
  const [captions, setCaptions] = useState(props.initialCaptions ?? false)
  const { shortest, longest } = limits.password
  const expiries = [
    ...(keptExpiry === undefined ? [] : [{ value: 'kept', label: keptExpiry }]),
    ...Object.entries(texts.share.expiries).map(([value, label]) => ({ value, label })),
  ]
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        const days = expiry === 'kept' ? undefined : expiry === 'never' ? null : Number(expiry)
        onSubmit({ title: title.trim(), password, removePassword, days, originals, captions })
      }}
    >
      <p className="text-ink-soft">{props.children}</p>
      <TextField
        label={texts.share.name}
        placeholder={texts.share.namePlaceholder}
        value={title}
        maxLength={limits.title}
        onChange={setTitle}
      />
      <SelectField
        label={texts.share.expiry}
        value={expiry}
        choices={expiries}
        onChange={value => setExpiry(value as Expiry)}
      />
      {!removePassword && (
        <div className="flex flex-col gap-1.5">
          <TextField
            label={hasPassword ? texts.edit.password : texts.share.password}
            value={password}
            minLength={shortest}
            maxLength={longest}
            autoComplete="off"
            onChange={setPassword}
          />
          <p className="text-fine text-ink-soft">
            {hasPassword ? texts.edit.passwordKept : texts.share.passwordHint({ count: shortest })}
          </p>
        </div>
      )}
      {hasPassword && (
        <Checkbox checked={removePassword} label={texts.edit.removePassword} onChange={setRemovePassword} />
      )}
      {props.capacity}
      {!sendsOnly && (
        <Checkbox
          checked={captions}
          label={texts.share.captions}
          hint={texts.share.captionsHint}
          onChange={setCaptions}
        />
      )}
      {!sendsOnly && (
        <Checkbox
          checked={originals}
          label={texts.share.originals}
          hint={texts.share.originalsHint}
          onChange={setOriginals}
        />
      )}
      <DialogButtons>
        <Button onClick={props.onClose}>{texts.share.cancel}</Button>
        <Button variant="primary" type="submit" busy={busy}>
          {submit}
        </Button>
      </DialogButtons>
    </form>
  )
}

interface CheckboxProps {
  checked: boolean
  label: string
  hint?: string
  onChange: (checked: boolean) => void
}

function Checkbox({ checked, label, hint, onChange }: CheckboxProps) {
  return (
    <label className="flex min-h-touch w-full items-start gap-3">
      <input
        type="checkbox"
        checked={checked}
        onChange={event => onChange(event.target.checked)}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <span>
        <span className="block">{label}</span>
        {hint !== undefined && <span className="block text-fine text-ink-soft">{hint}</span>}
      </span>
    </label>
  )
}
