import { useId } from 'react'
import { SelectField } from '../../ui/SelectField.tsx'
import { useFolders } from '../queries.ts'
import type { Processing } from '../queue/make-ready.ts'
import type { QueueState, UploadQueue } from '../queue/queue.ts'
import { texts } from '../texts.ts'

interface Props {
  queue: UploadQueue
  state: QueueState
}

/** What a person decides before the upload begins. */
export function Options({ queue, state }: Props) {
  const { folderId, keepStructure, processing } = state.options
  const folders = useFolders()
  const root = { value: '', label: texts.destination.root }
  const hasStructure = state.items.some(item => item.path.length > 0)
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {folders.length > 0 && (
        <SelectField
          label={texts.destination.label}
          value={folderId === null ? '' : String(folderId)}
          choices={[root, ...folders.map(({ id, path }) => ({ value: String(id), label: path }))]}
          onChange={value => queue.choose({ folderId: value === '' ? null : Number(value) })}
        />
      )}
      <div className={folders.length > 0 ? '' : 'sm:col-span-2'}>
        <ProcessingChoice
          beside={folders.length === 0}
          value={processing}
          onChoose={processing => queue.choose({ processing })}
        />
      </div>
      {hasStructure && (
        <label className="flex min-h-touch items-start gap-3 sm:col-span-2">
          <input
            type="checkbox"
            checked={keepStructure}
            onChange={event => queue.choose({ keepStructure: event.target.checked })}
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
  /** The choices stand beside each other, where there is room. */
  beside: boolean
  onChoose: (value: Processing) => void
}

function ProcessingChoice({ value, beside, onChoose }: ProcessingProps) {
  const group = useId()
  return (
    <fieldset className={`flex min-w-0 flex-col ${beside ? 'gap-x-8 sm:flex-row' : ''}`}>
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
