import { useId } from 'react'
import type { SourceFolders as Folders } from '#contract/source-folders.ts'
import { formatDate, formatDateAndTime } from '../../kit/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { texts } from './texts.ts'

const words = texts.sourceFolders

/** The folders of the server's disks that other programs write. */
export function SourceFolders({ folders: { inbox } }: { folders: Folders }) {
  return inbox === null ? null : <Inbox inbox={inbox} />
}

function Inbox({ inbox }: { inbox: NonNullable<Folders['inbox']> }) {
  const { folder, state, problem, waiting, failures, checked_at } = inbox
  const [id, listId] = [useId(), useId()]
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 p-4 sm:px-6">
      <h3 id={id} className="font-semibold">
        {words.inbox}
      </h3>
      <p className="wrap-anywhere text-small">
        <bdi>{folder}</bdi>
      </p>
      {state === 'ready' ? (
        <p className="text-ink-soft text-small">{words.states.ready}</p>
      ) : (
        <Notice>
          <p>{words.states[state]}</p>
          {problem !== null && <p className="wrap-anywhere text-small">{problem}</p>}
        </Notice>
      )}
      <p className="text-ink-soft text-small">
        {waiting > 0 && `${words.waiting({ count: waiting })} `}
        {words.checked({ moment: formatDateAndTime(checked_at) })}
      </p>
      {failures.length > 0 && (
        <>
          <h4 id={listId} className="font-semibold text-small">
            {words.failures}
          </h4>
          <ul aria-labelledby={listId} className="divide-y divide-line">
            {failures.map(({ name, reason, text, at }) => (
              <li key={name} className="wrap-anywhere py-2 text-small">
                <span className="block font-semibold">
                  <bdi>{name}</bdi>
                </span>
                <span className="text-ink-soft" title={text}>
                  {words.reasons[reason]} · {formatDate(at)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
