import { Button } from '../../ui/Button.tsx'
import { Dock } from '../../ui/Dock.tsx'

/** What photos are being chosen for, in words, and what happens with them. */
export interface Choosing {
  label: string
  addLabel: (count: number) => string
  cancelLabel: string
  adding: boolean
  onAdd: (fileIds: readonly number[]) => void
  onCancel: () => void
}

/** While photos are chosen for an album, it replaces the actions on the selected files. */
export function ChoosingBar({
  fileIds,
  label,
  addLabel,
  cancelLabel,
  adding,
  onAdd,
  onCancel,
}: Choosing & { fileIds: ReadonlySet<number> }) {
  const none = fileIds.size === 0
  return (
    <Dock open label={label}>
      <Button variant="bare" onClick={onCancel}>
        {cancelLabel}
      </Button>
      <p role="status" className={`min-w-0 flex-1 truncate font-semibold ${none ? '' : 'max-sm:sr-only'}`} dir="auto">
        {label}
      </p>
      {!none && (
        <span className="flex min-w-0 max-w-full justify-end max-sm:flex-1">
          <Button variant="primary" busy={adding} onClick={() => onAdd([...fileIds])}>
            <span className="line-clamp-1 min-w-0 break-all">{addLabel(fileIds.size)}</span>
          </Button>
        </span>
      )}
    </Dock>
  )
}
