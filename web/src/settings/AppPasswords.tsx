import { useQuery } from '@tanstack/react-query'
import { KeyRound, X } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { toast } from 'sonner'
import {
  type AppPassword,
  AppPasswordScope,
  createAppPassword,
  endAppPassword,
  listAppPasswords,
} from '#contract/app-passwords.ts'
import { isVisible } from '#contract/common.ts'
import type { Answer } from '#contract/endpoint.ts'
import { lengths } from '#contract/limits.ts'
import { useAction } from '../kit/action.ts'
import { formatDate, formatDateAndTime } from '../kit/format.ts'
import { useCan } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import { Button } from '../ui/Button.tsx'
import { CopyField } from '../ui/CopyField.tsx'
import { confirmInDialog } from '../ui/confirm.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

const words = texts.appPasswords
const changes = [{ kind: 'people' as const }]
type Created = Answer<typeof createAppPassword>

/** Passwords for programs: made, listed and ended. */
export function AppPasswords({ username }: { username: string }) {
  const passwords = useQuery(query(listAppPasswords, {}, texts.loadFailed))
  const keepFocus = useKeepFocus<HTMLDivElement>()
  return (
    <Section heading={words.heading}>
      <div {...keepFocus} className="flex flex-col items-start gap-4">
        <p className="text-ink-soft text-small">{words.intro}</p>
        {passwords.data === undefined ? (
          <LoadingOrError query={passwords} texts={texts} />
        ) : passwords.data.length === 0 ? (
          <p>{words.none}</p>
        ) : (
          <ul className="w-full divide-y divide-line">
            {passwords.data.map(password => (
              <Row key={password.id} password={password} />
            ))}
          </ul>
        )}
        <MakeButton username={username} />
      </div>
    </Section>
  )
}

function Row({ password: { id, name, scope, ...times } }: { password: AppPassword }) {
  const nameId = useId()
  const end = useAction(endAppPassword, { success: words.end.success, failure: words.end.failure, changes })

  async function askAndEnd() {
    const { label, title, text } = words.end
    if (await confirmInDialog({ title: title({ name }), text, label })) void end.run({ params: { id } })
  }
  const used =
    times.last_used_at === null
      ? words.neverUsed
      : words.lastUsed({ moment: formatDateAndTime(times.last_used_at), address: times.last_used_address ?? '?' })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="wrap-anywhere min-w-0 flex-1 basis-48">
        <p id={nameId} className="font-semibold">
          {name}
        </p>
        <p className="text-small">{words.scopes[scope]}</p>
        <p className="text-ink-soft text-small">
          {words.made({ day: formatDate(times.created_at) })}, {used}
        </p>
      </div>
      <Button
        variant="dangerQuiet"
        icon={<X aria-hidden="true" className="size-5" />}
        busy={end.busy}
        aria-describedby={nameId}
        onClick={() => void askAndEnd()}
      >
        {words.end.label}
      </Button>
    </li>
  )
}

/** Opens the dialog that makes a password and then shows it, once. */
function MakeButton({ username }: { username: string }) {
  const [open, setOpen] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)

  function show() {
    setCreated(null)
    setOpen(true)
  }
  const close = () => setOpen(false)
  const title = created ? words.ready.title({ name: created.app_password.name }) : words.title
  return (
    <>
      <Button icon={<KeyRound aria-hidden="true" className="size-5" />} aria-haspopup="dialog" onClick={show}>
        {words.make}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={title}>
        {created ? (
          <>
            <p>{words.ready.text}</p>
            <CopyField
              label={words.ready.label}
              value={created.password}
              copyLabel={words.ready.copy}
              copiedLabel={words.ready.copied}
            />
            <p className="wrap-anywhere text-ink-soft text-small">{words.ready.user({ username })}</p>
            <DialogButtons>
              <Button variant="primary" onClick={close}>
                {words.ready.done}
              </Button>
            </DialogButtons>
          </>
        ) : (
          <Form onCreated={setCreated} onClose={close} />
        )}
      </Dialog>
    </>
  )
}

function Form({ onCreated, onClose }: { onCreated: (created: Created) => void; onClose: () => void }) {
  const mayUpload = useCan('media.upload')
  const scopes = AppPasswordScope.options.filter(scope => scope !== 'upload' || mayUpload)
  const [name, setName] = useState('')
  const [scope, setScope] = useState<AppPasswordScope>(mayUpload ? 'upload' : 'read')
  const field = useRef<HTMLInputElement>(null)
  const create = useAction(createAppPassword, { failure: words.createFailed, changes, whenDone: onCreated })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isVisible(name)) return void create.run({ body: { name, scope } })
    toast.error(words.nameMissing)
    field.current?.focus()
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <TextField
        ref={field}
        label={words.name}
        placeholder={words.namePlaceholder}
        value={name}
        maxLength={lengths.appPasswordName}
        autoComplete="off"
        onChange={setName}
      />
      <SelectField
        label={words.scope}
        value={scope}
        choices={scopes.map(value => ({ value, label: words.choices[value] }))}
        onChange={value => setScope(AppPasswordScope.parse(value))}
      />
      <p aria-live="polite" className="text-ink-soft text-small">
        {words.explained[scope]}
      </p>
      <DialogButtons>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button type="submit" variant="primary" busy={create.busy}>
          {words.create}
        </Button>
      </DialogButtons>
    </form>
  )
}
