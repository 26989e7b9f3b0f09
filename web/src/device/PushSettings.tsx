import { useQuery } from '@tanstack/react-query'
import { BellOff, BellRing } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { type PushChoices, type PushDevice, PushKind, usualPushChoices } from '#contract/push.ts'
import { changeMySettings, mySettings } from '#contract/settings.ts'
import { showFailure, useAction } from '../kit/action.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { useCan } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import { Button } from '../ui/Button.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { SwitchItem } from '../ui/SwitchItem.tsx'
import { type PushHere, useMyPush, usePushActions, usePushHere } from './push.ts'
import { texts } from './texts.ts'

const words = texts.push

/** Notifications on this device, in My settings. */
export function PushSettings({ person }: { person: number }) {
  const here = usePushHere()
  const mine = useMyPush()
  const { change, end, switchOn, switchOff } = usePushActions(person)
  const [busy, setBusy] = useState(false)
  if (mine.data === undefined || here === undefined) return <LoadingOrError query={mine} texts={words} />
  const current = mine.data.devices.find(device => device.current)
  const others = mine.data.devices.filter(device => !device.current)
  const isOn = here === 'on' && current !== undefined

  async function toggle() {
    setBusy(true)
    try {
      if (isOn) await switchOff(current.id)
      else if ((await switchOn()) === 'on') toast.success(words.switchedOn)
    } catch (error) {
      showFailure(words.saveFailed, error)
    }
    setBusy(false)
  }
  return (
    <>
      {here === 'off' || here === 'on' ? (
        <>
          <p className="text-ink-soft">{words.intro}</p>
          <div className="flex">
            <Button
              variant={isOn ? 'quiet' : 'soft'}
              icon={
                isOn ? (
                  <BellOff aria-hidden="true" className="size-5" />
                ) : (
                  <BellRing aria-hidden="true" className="size-5" />
                )
              }
              busy={busy || end.busy}
              onClick={() => void toggle()}
            >
              {isOn ? words.switchOff : words.switchOn}
            </Button>
          </div>
        </>
      ) : (
        <p className="text-ink-soft">{whyNot(here)}</p>
      )}
      {isOn && <Choices device={current} onChange={body => void change.run({ body })} />}
      {others.length > 0 && (
        <OtherDevices devices={others} busy={end.busy} onRemove={id => void end.run({ params: { id } })} />
      )}
    </>
  )
}

function whyNot(here: Exclude<PushHere, 'on' | 'off'>): string {
  if (here === 'denied') return words.denied
  return here === 'install first' ? words.installFirst : words.unsupported
}

interface ChoicesProps {
  device: PushDevice
  onChange: (change: Partial<PushChoices>) => void
}

function Choices({ device, onChange }: ChoicesProps) {
  const mayReview = useCan('people.review')
  const wantMemories = useWantMemories()
  // Shown at once; the stored value follows.
  const [chosen, setChosen] = useState<PushChoices>(device)
  const { kinds, previews, quiet } = chosen

  function choose(part: Partial<PushChoices>) {
    setChosen(before => ({ ...before, ...part }))
    onChange(part)
  }

  function toggle(kind: PushKind) {
    const isWanted = kinds.includes(kind)
    if (kind === 'memories' && !isWanted) wantMemories()
    choose({ kinds: isWanted ? kinds.filter(one => one !== kind) : [...kinds, kind] })
  }
  return (
    <>
      <fieldset>
        <legend className="font-semibold">{words.kindsHeading}</legend>
        <ul className="flex flex-col">
          {PushKind.options
            .filter(kind => kind !== 'requests' || mayReview)
            .map(kind => (
              <SwitchItem
                key={kind}
                label={words.kinds[kind]}
                on={kinds.includes(kind)}
                onToggle={() => toggle(kind)}
              />
            ))}
        </ul>
        <p className="text-ink-soft text-small">{words.muted}</p>
      </fieldset>
      <fieldset>
        <legend className="font-semibold">{words.contents}</legend>
        <ul>
          <SwitchItem label={words.previews} on={previews} onToggle={() => choose({ previews: !previews })} />
        </ul>
        <p className="text-ink-soft text-small">{words.previewsText}</p>
      </fieldset>
      <fieldset className="flex flex-col gap-3">
        <legend className="font-semibold">{words.quiet.heading}</legend>
        <ul>
          <SwitchItem
            label={words.quiet.label}
            on={quiet !== null}
            onToggle={() => choose({ quiet: quiet === null ? usualPushChoices.quiet : null })}
          />
        </ul>
        {quiet !== null && (
          <div className="grid grid-cols-2 gap-4">
            <TimeField
              label={words.quiet.from}
              value={quiet.from}
              onChange={from => choose({ quiet: { ...quiet, from } })}
            />
            <TimeField
              label={words.quiet.until}
              value={quiet.until}
              onChange={until => choose({ quiet: { ...quiet, until } })}
            />
          </div>
        )}
        <p className="text-ink-soft text-small">{words.quiet.text}</p>
      </fieldset>
    </>
  )
}

/** The notification itself is off until somebody wants it, on whichever device. */
function useWantMemories(): () => void {
  const { data } = useQuery(query(mySettings, {}))
  const save = useAction(changeMySettings, { failure: words.saveFailed, changes: [{ kind: 'people' }] })
  return () => {
    if (data && !data.wanted.includes('memories')) void save.run({ body: { wanted: [...data.wanted, 'memories'] } })
  }
}

const STEP = 30
const times = Array.from({ length: (24 * 60) / STEP }, (_, index) => index * STEP)

/** The device's own clock, as in 22:00. */
function TimeField({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  const all = times.includes(value) ? times : [...times, value].sort((a, b) => a - b)
  return (
    <SelectField
      label={label}
      value={String(value)}
      choices={all.map(minute => ({ value: String(minute), label: timeOfDay(minute) }))}
      onChange={text => onChange(Number(text))}
    />
  )
}

function timeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

interface OtherDevicesProps {
  devices: readonly PushDevice[]
  busy: boolean
  onRemove: (id: number) => void
}

function OtherDevices({ devices, busy, onRemove }: OtherDevicesProps) {
  return (
    <section aria-label={words.others}>
      <h3 className="font-semibold">{words.others}</h3>
      <ul className="divide-y divide-line">
        {devices.map(({ id, device, created_at }) => {
          const name = device ?? words.unknownDevice
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <div className="min-w-0 flex-1 basis-48">
                <p>{name}</p>
                <p className="text-ink-soft text-small">{words.since({ moment: formatDateAndTime(created_at) })}</p>
              </div>
              <Button busy={busy} aria-label={words.removeFrom({ device: name })} onClick={() => onRemove(id)}>
                {words.remove}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
