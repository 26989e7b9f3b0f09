import { RotateCw } from 'lucide-react'
import { useId } from 'react'
import type { SourceFolders as Folders } from '#contract/source-folders.ts'
import { formatDate, formatDateAndTime } from '../../kit/format.ts'
import { Button } from '../../ui/Button.tsx'
import { confirmInDialog } from '../../ui/confirm.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useScan } from './queries.ts'
import { texts } from './texts.ts'

const words = texts.sourceFolders

/** The folders of the server's disks that other programs write. */
export function SourceFolders({ folders: { inbox, watched, missing } }: { folders: Folders }) {
  return (
    <div className="divide-y divide-line">
      {inbox !== null && <Inbox inbox={inbox} />}
      {watched.length > 0 && <WatchedFolders watched={watched} missing={missing} />}
    </div>
  )
}

function WatchedFolders({ watched, missing }: Pick<Folders, 'watched' | 'missing'>) {
  const id = useId()
  const scan = useScan(words.scan.success)
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 p-4 sm:px-6">
      <h3 id={id} className="font-semibold">
        {words.watched}
      </h3>
      <ul className="flex flex-col gap-4">
        {watched.map(folder => (
          <li key={folder.folder} className="flex flex-col items-start gap-2">
            <Watched watched={folder} />
          </li>
        ))}
      </ul>
      {missing > 0 && <p className="text-small text-warn">{words.missing({ count: missing })}</p>}
      <div>
        <Button
          icon={<RotateCw aria-hidden="true" className="size-5" />}
          busy={scan.busy}
          onClick={() => void scan.run({ body: {} })}
        >
          {words.scan.label}
        </Button>
      </div>
    </section>
  )
}

function Watched({ watched }: { watched: Folders['watched'][number] }) {
  const { folder, state, problem, files, gone, unreadable, looked_at, finished_at, without } = watched
  const accept = useScan(words.accept.success)
  const nameId = useId()

  async function acceptMissing() {
    if (await confirmInDialog(words.accept)) void accept.run({ body: { accept_missing: folder } })
  }

  const text = state === 'many_missing' ? words.watchedStates.many_missing({ count: gone }) : words.watchedStates[state]
  const facts = [
    files > 0 && words.files({ count: files }),
    unreadable > 0 && words.unreadable({ count: unreadable }),
    looked_at === null
      ? finished_at !== null && words.checked({ moment: formatDateAndTime(finished_at) })
      : words.lookedAt({ count: looked_at }),
  ]
  return (
    <>
      <p id={nameId} className="wrap-anywhere font-semibold text-small">
        <bdi>{folder}</bdi>
      </p>
      {state === 'ready' || state === 'new' ? (
        <p className="text-ink-soft text-small">{text}</p>
      ) : (
        <Notice>
          <p>{text}</p>
          {problem !== null && <p className="wrap-anywhere text-small">{problem}</p>}
        </Notice>
      )}
      {state !== 'not_mounted' && without.length > 0 && (
        <Notice>{words.without({ servers: without.join(', ') })}</Notice>
      )}
      <p className="text-ink-soft text-small">{facts.filter(Boolean).join(' ')}</p>
      {state === 'many_missing' && (
        <Button busy={accept.busy} aria-describedby={nameId} onClick={() => void acceptMissing()}>
          {words.accept.label}
        </Button>
      )}
    </>
  )
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
