import { Smartphone, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import { texts } from '../../device/keep-texts.ts'
import { keptInWords } from '../../device/kept-in-words.ts'
import { showFailure } from '../../kit/action.ts'
import { formatSize } from '../../kit/format.ts'
import { Button } from '../../ui/Button.tsx'
import { confirmInDialog } from '../../ui/confirm.tsx'
import { MenuItem } from '../../ui/Menu.tsx'
import { canKeep, estimateBytes, isDeviceFull, keep, type NewKept, sayFull, stopKeeping, useKept } from './keeping.ts'

const icon = 'size-5 shrink-0'

/** Only where there are service workers, and with photos. */
export function useKeepOffered(list: NewKept): boolean {
  return useKept(list) !== undefined || (canKeep() && list.files > 0)
}

/** In the menu of an album. */
export function KeepMenuItem({ list }: { list: NewKept }) {
  const kept = useKept(list)
  if (!useKeepOffered(list)) return null
  return (
    <MenuItem
      icon={kept ? <Trash2 aria-hidden="true" className={icon} /> : <Smartphone aria-hidden="true" className={icon} />}
      onClick={() => void (kept ? remove(list) : askAndKeep(list))}
    >
      {kept ? texts.remove : texts.keep}
    </MenuItem>
  )
}

/** On the page of a folder, which has no menu of its own. */
export function KeepButton({ list }: { list: NewKept }) {
  const kept = useKept(list)
  if (!useKeepOffered(list)) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <KeptLine list={list} />
      <Button
        variant="bare"
        icon={
          kept ? <Trash2 aria-hidden="true" className={icon} /> : <Smartphone aria-hidden="true" className={icon} />
        }
        onClick={() => void (kept ? remove(list) : askAndKeep(list))}
      >
        {kept ? texts.remove : texts.keep}
      </Button>
    </div>
  )
}

/** What of it is on this device; nothing if it is not kept. */
export function KeptLine({ list }: { list: Pick<NewKept, 'kind' | 'id'> }) {
  const kept = useKept(list)
  if (kept === undefined) return null
  return (
    <p role="status" className={`text-small ${kept.state === 'full' ? 'text-danger' : 'text-ink-soft'}`}>
      {keptInWords(kept)}
    </p>
  )
}

async function askAndKeep(list: NewKept): Promise<void> {
  const { title, text, confirm } = texts.question
  const size = estimateBytes(list.files)
  const room = await roomLeft()
  const question = text({ count: list.files, size: formatSize(size) })
  const warning = room !== undefined && room < size * 1.2 ? ` ${texts.noRoom({ size: formatSize(room) })}` : ''
  const answer = { title: title({ name: list.name }), text: question + warning, label: confirm, harmless: true }
  if (!(await confirmInDialog(answer))) return
  try {
    await keep(list)
  } catch (error) {
    if (isDeviceFull(error)) sayFull(list.name)
    else showFailure(texts.full({ name: list.name }), error)
  }
}

async function roomLeft(): Promise<number | undefined> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {}
  return quota === undefined ? undefined : Math.max(0, quota - usage)
}

async function remove(list: NewKept): Promise<void> {
  await stopKeeping(list)
  toast.success(texts.removed({ name: list.name }))
}
