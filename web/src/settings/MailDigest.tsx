import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { changeMyMail, Digest, myMail, tryMail } from '#contract/mail.ts'
import { useAction } from '../kit/action.ts'
import { query } from '../kit/queries.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

const words = texts.mail

/** Mails of what is new. Nothing where the server sends none. */
export function MailDigest() {
  const client = useQueryClient()
  const { queryKey } = query(myMail, {})
  const { data } = useQuery(query(myMail, {}, texts.loadFailed))
  // Shown at once; the stored value follows.
  const [chosen, setChosen] = useState<Digest | null>(null)
  const save = useAction(changeMyMail, {
    success: texts.saved,
    failure: texts.saveFailed,
    changes: [],
    whenDone: answer => client.setQueryData(queryKey, answer),
  })
  const send = useAction(tryMail, {
    success: () => words.tried({ address: data?.address ?? '' }),
    failure: words.tryFailed,
    changes: [],
  })
  if (!data?.available) return null

  async function choose(value: string) {
    const digest = Digest.parse(value)
    setChosen(digest)
    await save.run({ body: { digest } })
    setChosen(null)
  }
  const now = chosen ?? data.digest
  return (
    <Section heading={words.heading}>
      <SelectField
        label={words.label}
        value={now}
        choices={Digest.options.map(value => ({ value, label: words.choices[value] }))}
        onChange={value => void choose(value)}
      />
      <p className="wrap-anywhere text-ink-soft text-small">
        {words.what} {words.leaves({ address: data.address })}
      </p>
      <div className="flex">
        <Button
          icon={<Mail aria-hidden="true" className="size-5" />}
          busy={send.busy}
          onClick={() => void send.run({})}
        >
          {words.try}
        </Button>
      </div>
    </Section>
  )
}
