import { FolderPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Folder } from '#contract/folders.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { texts } from '../texts.ts'
import { filterFolders } from '../tree.ts'
import { DestinationList } from './DestinationList.tsx'
import { NewFolderDialog } from './NewFolderDialog.tsx'

interface Props {
  title: string
  folders: readonly Folder[]
  /** The current folder, where that is a single one. */
  here?: number | null | undefined
  busy: boolean
  onClose: () => void
  onMove: (into: number | null) => void
}

/** Asks for a destination; null is the root. Open while it is mounted. */
export function DestinationDialog({ title, folders, here, busy, onClose, onMove }: Props) {
  const [chosen, setChosen] = useState<number | null>()
  const [search, setSearch] = useState('')
  const [creating, setCreating] = useState(false)

  const found = filterFolders(folders, search)
  const offered = search.trim() === '' ? [null, ...found] : found
  const destination = among(offered, chosen, here, search)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (destination !== undefined) onMove(destination)
  }

  function onCreated(folder: Folder) {
    setSearch('')
    setChosen(folder.id)
  }
  return (
    <Dialog open onOpenChange={opens => opens || onClose()} title={title}>
      <form className="flex min-h-0 flex-col gap-4" onSubmit={submit}>
        <DestinationList
          offered={offered}
          chosen={destination}
          here={here}
          onChoose={setChosen}
          search={search}
          onSearch={folders.length > MANY ? setSearch : undefined}
        />
        <Button
          variant="bare"
          icon={<FolderPlus aria-hidden="true" className="size-5" />}
          onClick={() => setCreating(true)}
        >
          {texts.create.label}
        </Button>
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={destination === undefined}>
            {texts.destination.confirm}
          </Button>
        </DialogButtons>
      </form>
      <NewFolderDialog
        open={creating}
        parentId={destination ?? null}
        onClose={() => setCreating(false)}
        onCreated={onCreated}
      />
    </Dialog>
  )
}

/** With more folders than this there is a search. */
const MANY = 8

/** The chosen folder if it is still listed; otherwise, during a search, the first match. */
function among(
  offered: readonly (Folder | null)[],
  chosen: number | null | undefined,
  here: number | null | undefined,
  search: string,
): number | null | undefined {
  const ids = offered.map(folder => folder?.id ?? null).filter(id => id !== here)
  if (chosen !== undefined && ids.includes(chosen)) return chosen
  return search.trim() === '' ? undefined : ids[0]
}
