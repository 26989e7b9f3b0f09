import type { MailStatus } from '#contract/mail.ts'
import { formatDateAndTime } from '../../kit/format.ts'
import { useMailStatus } from './queries.ts'
import { Stat } from './Stat.tsx'
import { texts } from './texts.ts'

const words = texts.overview.mail

/** Whether a mail could not be sent since the last one that could. */
export function hasMailProblem({ last_error, last_sent }: MailStatus): boolean {
  if (last_error === null || last_error.outcome === 'sent') return false
  return last_error.outcome === 'waiting' || last_sent === null || last_sent < last_error.at
}

/** Whether mails are sent, and what the mail server said last if it refused one. */
export function MailStat() {
  const { data: mail } = useMailStatus()
  if (!mail) return null
  if (!mail.configured) {
    return (
      <Stat name={words.name} more={words.howTo}>
        {words.off}
      </Stat>
    )
  }
  const { from, last_sent, last_error } = mail
  const lines = [
    words.from({ address: from ?? '' }),
    ...(last_sent === null ? [] : [words.lastSent({ moment: formatDateAndTime(last_sent) })]),
    ...(last_error === null
      ? []
      : [words.errors[last_error.outcome]({ moment: formatDateAndTime(last_error.at), text: last_error.text })]),
  ]
  return (
    <Stat name={words.name} more={lines.join(' ')} warn={hasMailProblem(mail)}>
      {hasMailProblem(mail) ? words.problem : words.on}
    </Stat>
  )
}
