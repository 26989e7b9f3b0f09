import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useId } from 'react'
import { endAllSessions, endOwnSession, listSessions, type OwnSession } from '#contract/sessions.ts'
import { useAction } from '../kit/action.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { waitingCalls } from '../kit/outbox/page-outbox.ts'
import { texts as outboxTexts } from '../kit/outbox/texts.ts'
import { query } from '../kit/queries.ts'
import { Button } from '../ui/Button.tsx'
import { confirmInDialog } from '../ui/confirm.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { texts } from './texts.ts'

/** Where the person is signed in. */
export function Devices() {
  const sessions = useQuery(query(listSessions, {}, texts.loadFailed))
  const keepFocus = useKeepFocus<HTMLUListElement>()
  const endAll = useAction(endAllSessions, {
    failure: texts.devices.everywhere.failure,
    changes: [{ kind: 'people' }],
  })

  async function signOutEverywhere() {
    const { label, title, text } = texts.devices.everywhere
    // The next request answers 401, which leads to the login page.
    const count = waitingCalls().length
    const lost = count === 0 ? text : `${text} ${outboxTexts.leaving({ count })}`
    if (await confirmInDialog({ title, text: lost, label })) void endAll.run({})
  }
  if (sessions.data === undefined) return <LoadingOrError query={sessions} texts={texts} />
  return (
    <>
      <ul {...keepFocus} className="divide-y divide-line">
        {sessions.data.map(session => (
          <Device key={session.id} session={session} />
        ))}
      </ul>
      <Button
        variant="dangerQuiet"
        icon={<LogOut aria-hidden="true" className="size-5" />}
        busy={endAll.busy}
        onClick={() => void signOutEverywhere()}
      >
        {texts.devices.everywhere.label}
      </Button>
    </>
  )
}

/** The server names most devices as in "Chrome on Android". */
function deviceInWords(device: string | null): string {
  if (device === null) return texts.devices.unknown
  const [browser = '', system] = device.split(' on ')
  return system === undefined ? browser : texts.devices.name({ browser, system })
}

function Device({ session }: { session: OwnSession }) {
  const nameId = useId()
  const end = useAction(endOwnSession, {
    success: texts.devices.end.success,
    failure: texts.devices.end.failure,
    changes: [{ kind: 'people' }],
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p id={nameId} className="font-semibold">
          {deviceInWords(session.device)}{' '}
          {session.current && <span className="font-normal text-accent-strong">({texts.devices.current})</span>}
        </p>
        <p className="text-small text-ink-soft">
          {texts.devices.lastUsed({ moment: formatDateAndTime(session.last_used_at) })}
        </p>
      </div>
      {!session.current && (
        <Button
          busy={end.busy}
          aria-describedby={nameId}
          onClick={() => void end.run({ params: { session: session.id } })}
        >
          {texts.devices.end.label}
        </Button>
      )}
    </li>
  )
}
