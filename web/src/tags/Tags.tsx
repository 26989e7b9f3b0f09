import { X } from 'lucide-react'
import { useCan } from '../kit/me.tsx'
import { outbox, useWaitingCalls } from '../kit/outbox/page-outbox.ts'
import { texts as outboxTexts } from '../kit/outbox/texts.ts'
import { Button } from '../ui/Button.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { WaitingMark } from '../ui/WaitingMark.tsx'
import { type ShownTag, useAddTag, useRemoveTag, useTags, withWaiting } from './queries.ts'
import { TagField } from './TagField.tsx'
import { texts } from './texts.ts'

interface Props {
  fileId: number
  /** Searches for all files with this tag. */
  onSearch: (tag: string) => void
}

export function Tags({ fileId, onSearch }: Props) {
  const { data, error, refetch } = useTags(fileId)
  const tags = withWaiting(fileId, data, useWaitingCalls())
  const add = useAddTag(fileId)
  const mayEdit = useCan('media.edit')
  return (
    <section aria-labelledby="file-tags" className="flex flex-col gap-2">
      <h3 id="file-tags" className="font-semibold">
        {texts.heading}
      </h3>
      {tags !== undefined ? (
        <TagList fileId={fileId} tags={tags} onSearch={onSearch} />
      ) : error !== null ? (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-ink-soft text-small">{error.message}</p>
          <Button onClick={() => void refetch()}>{texts.retry}</Button>
        </div>
      ) : (
        <Spinner size="small" />
      )}
      {mayEdit && (
        <TagField
          key={fileId}
          taken={tags?.map(({ name }) => name) ?? []}
          onAdd={tagName => add.run({ params: { id: fileId }, body: { tagName } })}
        />
      )}
    </section>
  )
}

function TagList({ fileId, tags, onSearch }: Props & { tags: readonly ShownTag[] }) {
  const holder = useKeepFocus<HTMLUListElement>()
  const remove = useRemoveTag(fileId)
  const mayEdit = useCan('media.edit')
  if (tags.length === 0) return <p className="text-ink-soft text-small">{texts.none}</p>
  return (
    <ul {...holder} className="flex flex-wrap gap-2 focus-visible:outline-none">
      {tags.map(tag => (
        <li
          key={tag.id}
          title={tag.waiting && outboxTexts.waiting}
          className={`flex max-w-full items-center rounded-full bg-accent-wash text-accent-strong ${tag.waiting ? 'opacity-80' : ''}`}
        >
          <button
            type="button"
            title={texts.search({ tag: tag.name })}
            onClick={() => onSearch(tag.name)}
            className="min-h-touch min-w-0 truncate rounded-l-full py-1 pl-4 font-semibold last:rounded-full last:pr-4 text-small hover:underline"
          >
            <bdi>{tag.name}</bdi>
            {tag.waiting && <WaitingMark short label={outboxTexts.waiting} />}
          </button>
          {mayEdit && (
            <button
              type="button"
              aria-label={texts.remove.label({ tag: tag.name })}
              title={texts.remove.label({ tag: tag.name })}
              onClick={() => void (tag.waiting ? outbox.discard(tag.waiting) : remove(tag))}
              className="grid size-touch shrink-0 place-items-center rounded-full hover:text-ink"
            >
              <X aria-hidden="true" className="size-4" />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
