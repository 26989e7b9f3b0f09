import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { DateChange } from '#contract/dates.ts'
import { getMedia } from '#contract/media.ts'
import { readDate } from '#contract/read-date.ts'
import { query } from '../kit/queries.ts'
import { dateReader } from '../media/date-reader.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { useIsMounted } from '../ui/hooks.ts'
import { Tabs } from '../ui/Tabs.tsx'
import { ChangePreview, usePreview } from './ChangePreview.tsx'
import { CopyDate } from './CopyDate.tsx'
import { useChangeDates } from './change-dates.ts'
import { DateField } from './DateField.tsx'
import { type Shift, ShiftFields } from './ShiftFields.tsx'
import { texts } from './texts.ts'
import { ZoneFields } from './ZoneFields.tsx'
import { deviceZone } from './zones.ts'

interface Props {
  fileIds: readonly number[]
  onClose: () => void
}

type Way = DateChange['kind'] & ('set' | 'shift' | 'copy' | 'zone')

const noShift: Shift = { months: 0, minutes: 0 }

/** Corrects the dates of files. Open while it is mounted. */
export function ChangeDateDialog({ fileIds, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { run, busy } = useChangeDates()
  const isMounted = useIsMounted()
  const [only] = fileIds.length === 1 ? fileIds : []
  const { data: file } = useQuery({ ...query(getMedia, { params: { id: only ?? 0 } }), enabled: only !== undefined })
  const [way, setWay] = useState<Way>('set')
  const [typed, setTyped] = useState('')
  const [shift, setShift] = useState(noShift)
  const [from, setFrom] = useState<number | null>(null)
  const [zone, setZone] = useState<Extract<DateChange, { kind: 'zone' }>>({
    kind: 'zone',
    zone: deviceZone(),
    keep: 'clock',
  })

  const edtf = readDate(typed, dateReader)
  const change: Record<Way, DateChange | undefined> = {
    set: edtf === undefined ? undefined : { kind: 'set', edtf },
    shift: shift.months === 0 && shift.minutes === 0 ? undefined : { kind: 'shift', ...shift },
    copy: from === null ? undefined : { kind: 'copy', from },
    zone,
  }
  const chosen = change[way]
  const preview = usePreview(fileIds, way === 'set' ? undefined : chosen)

  async function save(wanted: DateChange) {
    if ((await run({ body: { fileIds: [...fileIds], change: wanted } })) && isMounted()) onClose()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (chosen !== undefined) void save(chosen)
  }
  // For a single file it says what the date would be from, and is not offered where there is nothing to go back to.
  const correction = file?.date_correction
  const clear = only === undefined ? texts.clear.many : correction && texts.clear.one[correction.found_source ?? 'none']
  const tab = (value: Way, content: ReactNode) => ({
    value,
    label: texts[value].tab,
    content: <div className="p-4">{content}</div>,
  })
  const previewed = (content: ReactNode) => (
    <div className="flex flex-col gap-3">
      {content}
      <ChangePreview preview={preview} count={fileIds.length} />
    </div>
  )
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={texts.title({ count: fileIds.length })}
      initialFocus={field}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Tabs
          label={texts.ways}
          value={way}
          onChange={chosenWay => {
            setWay(chosenWay)
            // The fields of a tab are empty when it is shown again.
            setShift(noShift)
          }}
          tabs={[
            tab('set', <DateField ref={field} value={typed} onChange={setTyped} />),
            tab('shift', previewed(<ShiftFields onChange={setShift} />)),
            tab('copy', previewed(<CopyDate chosen={from} except={fileIds} onChoose={setFrom} />)),
            tab('zone', previewed(<ZoneFields value={zone} onChange={setZone} home={preview?.home_zone} />)),
          ]}
        />
        <DialogButtons>
          {clear && (
            <Button variant="quiet" disabled={busy} onClick={() => void save({ kind: 'clear' })}>
              {clear}
            </Button>
          )}
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={chosen === undefined || preview?.changed === 0}>
            {texts.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
