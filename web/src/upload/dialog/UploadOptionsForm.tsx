import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Folder } from '#contract/folders.ts'
import { foldersQuery } from '../../kit/queries.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import type { Processing } from '../item-steps.ts'
import { texts } from '../texts.ts'
import type { QueueState, UploadQueue } from '../upload-queue.ts'

interface Props {
  queue: UploadQueue
  state: QueueState
}

const noFolders: readonly Folder[] = []

/** The options of an upload, chosen before it starts. */
export function UploadOptionsForm({ queue, state }: Props) {
  const { folderId, keepStructure, processing } = state.options
  const folders = useQuery(foldersQuery).data ?? noFolders
  const root = { value: '', label: texts.destination.root }
  const hasStructure = state.items.some(item => item.path.length > 0)
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {folders.length > 0 && (
        <SelectField
          label={texts.destination.label}
          value={folderId === null ? '' : String(folderId)}
          choices={[root, ...folders.map(({ id, path }) => ({ value: String(id), label: path }))]}
          onChange={value => queue.setOptions({ folderId: value === '' ? null : Number(value) })}
        />
      )}
      <div className={folders.length > 0 ? '' : 'sm:col-span-2'}>
        <ProcessingRadio
          sideBySide={folders.length === 0}
          value={processing}
          onChoose={processing => queue.setOptions({ processing })}
        />
      </div>
      {hasStructure && (
        <label className="flex min-h-touch items-start gap-3 sm:col-span-2">
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
    </div>
  )
}

const choices: readonly Processing[] = ['client', 'server']

interface ProcessingProps {
  value: Processing
  /** Shows the choices side by side on wide screens. */
  sideBySide: boolean
  onChoose: (value: Processing) => void
}

function ProcessingRadio({ value, sideBySide, onChoose }: ProcessingProps) {
  const group = useId()
  return (
    <fieldset className={`flex min-w-0 flex-col ${sideBySide ? 'gap-x-8 sm:flex-row' : ''}`}>
      <legend className="mb-0.5 font-semibold text-small">{texts.processing.label}</legend>
      {choices.map(choice => (
        <label key={choice} className="flex min-h-touch items-center gap-3">
          <input
            type="radio"
            name={group}
            checked={choice === value}
            onChange={() => onChoose(choice)}
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
