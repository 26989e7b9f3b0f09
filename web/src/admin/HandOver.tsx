import { ArrowRightLeft } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type AccessRequest, handOver } from '#contract/people.ts'
import { useAction } from '../kit/action.ts'
import { useMe } from '../kit/me.tsx'
import { Button } from '../ui/Button.tsx'
import { confirmInDialog } from '../ui/confirm.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { texts } from './texts.ts'

const words = texts.handOver

/** Somebody else becomes admin, and the signed-in admin a member. */
export function HandOver({ people }: { people: readonly AccessRequest[] }) {
  const me = useMe()
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState('')
  const others = people.filter(({ id }) => id !== me?.id)
  const action = useAction(handOver, {
    success: words.success({ name: others.find(({ id }) => String(id) === chosen)?.name ?? '' }),
    failure: words.failure,
    changes: [{ kind: 'people' }],
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const person = others.find(({ id }) => String(id) === chosen)
    if (!person) return
    const { name, email } = person
    setOpen(false)
    const confirmed = await confirmInDialog({
      title: words.question({ name }),
      text: words.warning({ name, email }),
      label: words.confirm({ name }),
    })
    if (confirmed) void action.run({ params: { id: person.id }, body: { email } })
  }
  return (
    <>
      <Button
        busy={action.busy}
        icon={<ArrowRightLeft aria-hidden="true" className="size-5" />}
        onClick={() => setOpen(true)}
      >
        {words.label}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={words.title}>
        <form noValidate className="flex flex-col gap-4" onSubmit={event => void submit(event)}>
          <p className="text-ink-soft">{words.text}</p>
          <p className="text-ink-soft">{words.operator}</p>
          {others.length === 0 ? (
            <p>{words.nobody}</p>
          ) : (
            <SelectField
              label={words.person}
              value={chosen}
              choices={[
                { value: '', label: words.choose },
                ...others.map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` })),
              ]}
              onChange={setChosen}
            />
          )}
          <DialogButtons>
            <Button onClick={() => setOpen(false)}>{words.cancel}</Button>
            <Button type="submit" variant="primary" disabled={chosen === ''}>
              {words.continue}
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
    </>
  )
}
