import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Folder } from '#contract/folders.ts'
import { foldersQuery } from '../../kit/queries.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { texts } from '../texts.ts'
import type { Processing } from '../upload-batch.ts'
import type { QueueState, UploadQueue } from '../upload-queue.ts'

interface Props {
  queue: UploadQueue
  state: QueueState
}

const noFolders: readonly Folder[] = []

/** Where the files go. */
export function DestinationField({ queue, state }: Props) {
  const { folderId, keepStructure } = state.options
  const folders = useQuery(foldersQuery).data ?? noFolders
  const root = { value: '', label: texts.destination.root }
  const hasStructure = state.items.some(item => item.path.length > 0)
  return (
    <>
      {folders.length > 0 && (
        <div className="min-w-48 flex-1">
          <SelectField
            label={texts.destination.label}
            value={folderId === null ? '' : String(folderId)}
            choices={[root, ...folders.map(({ id, path }) => ({ value: String(id), label: path }))]}
            onChange={value => queue.setOptions({ folderId: value === '' ? null : Number(value) })}
          />
        </div>
      )}
      {hasStructure && (
        <label className="flex min-h-touch w-full items-start gap-3">
          <input
            type="checkbox"
            checked={keepStructure}
            onChange={event => queue.setOptions({ keepStructure: event.target.checked })}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="block">{texts.keepStructure.label}</span>
            <span className="block text-fine text-ink-soft">{texts.keepStructure.hint}</span>
          </span>
        </label>
      )}
    </>
  )
}

const choices: readonly Processing[] = ['client', 'server']

/** Whether photos are prepared on this device or on the server. */
export function ProcessingRadio({ queue, value }: { queue: UploadQueue; value: Processing }) {
  const group = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-x-8 sm:flex-row">
      <legend className="mb-0.5 font-semibold text-small">{texts.processing.label}</legend>
      {choices.map(choice => (
        <label key={choice} className="flex min-h-touch items-center gap-3">
          <input
            type="radio"
            name={group}
            checked={choice === value}
            onChange={() => queue.setOptions({ processing: choice })}
            className="size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="block leading-tight">{texts.processing[choice].label}</span>
            <span className="block text-fine text-ink-soft">{texts.processing[choice].hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
