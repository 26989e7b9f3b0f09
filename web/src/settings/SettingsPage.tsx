import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { toast } from 'sonner'
import { comparableName, isVisible } from '#contract/common.ts'
import { lengths } from '#contract/limits.ts'
import { SortField } from '#contract/media-list.ts'
import { listPeople, StartView, type User } from '#contract/people.ts'
import { changeMySettings, MutableKind, type MySettings, mySettings, OptionalKind } from '#contract/settings.ts'
import { isLocale, localeNames, locales } from '#messages/locales.ts'
import { useAction } from '../kit/action.ts'
import { useCan } from '../kit/me.tsx'
import { storedLanguage, storeLanguage } from '../kit/messages.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { query } from '../kit/queries.ts'
import { downloadsPath } from '../media/chosen-download.ts'
import { Button } from '../ui/Button.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { SwitchItem } from '../ui/SwitchItem.tsx'
import { TextField } from '../ui/TextField.tsx'
import { AppPasswords } from './AppPasswords.tsx'
import { CloseAccount } from './CloseAccount.tsx'
import { Devices } from './Devices.tsx'
import { MailDigest } from './MailDigest.tsx'
import { OwnPicture } from './OwnPicture.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

interface Props {
  user: User
  /** Shows the gallery of this device like this. */
  onStartView: (view: StartView) => void
  /** What the person has hidden from "On this day". */
  hiddenMemories: ReactNode
  /** Notifications on this device. */
  push: ReactNode
  /** What this device keeps of the library. */
  onThisDevice: ReactNode
  /** Called when the person has closed their account. */
  onClosed: () => void
}

export function SettingsPage({ user, onStartView, hiddenMemories, push, onThisDevice, onClosed }: Props) {
  usePageTitle(texts.page)
  const settings = useQuery(query(mySettings, {}, texts.loadFailed))
  const device = <Section heading={texts.onThisDevice}>{onThisDevice}</Section>
  return (
    <>
      <PageHeader heading={texts.heading} subtitle={texts.subtitle} />
      {settings.data === undefined ? (
        <>
          <LoadingOrError query={settings} texts={texts} />
          {/* It needs no connection, and is wanted where there is none. */}
          {settings.isError && <div className="max-w-2xl">{device}</div>}
        </>
      ) : (
        <div className="flex max-w-2xl flex-col gap-10">
          <Section heading={texts.name.heading}>
            <OwnPicture user={user} isOwn={settings.data.own_picture} />
            <NameForm settings={settings.data} userId={user.id} />
          </Section>
          <Language />
          <Notifications settings={settings.data} />
          <Section heading={texts.push}>{push}</Section>
          <MailDigest />
          <Start settings={settings.data} onStartView={onStartView} />
          {hiddenMemories}
          {device}
          <Section heading={texts.takeAlong.heading}>
            <p className="text-ink-soft text-small">{texts.takeAlong.what}</p>
            <Link
              to={downloadsPath}
              className="inline-flex min-h-touch items-center self-start font-semibold text-accent underline underline-offset-4"
            >
              {texts.takeAlong.open}
            </Link>
          </Section>
          <Section heading={texts.devices.heading}>
            <Devices />
          </Section>
          <AppPasswords username={user.username} />
          <CloseAccount user={user} onClosed={onClosed} />
        </div>
      )}
    </>
  )
}

function useSave(success?: string) {
  return useAction(changeMySettings, {
    ...(success === undefined ? {} : { success }),
    failure: texts.saveFailed,
    changes: [{ kind: 'people' }],
  })
}

function NameForm({ settings: { name, provider_name }, userId }: { settings: MySettings; userId: number }) {
  const field = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState(name)
  const save = useSave(texts.saved)
  const people = useQuery({ ...query(listPeople, {}), staleTime: 60_000 }).data ?? []
  const chosenName = comparableName(draft)
  const namesake = people.find(person => person.id !== userId && comparableName(person.name) === chosenName)
  const warningId = useId()

  function submit(event: FormEvent) {
    event.preventDefault()
    const chosen = draft.trim()
    if (!isVisible(chosen)) {
      toast.error(texts.name.missing)
      field.current?.focus()
    } else if (chosen !== name) void save.run({ body: { name: chosen } })
  }

  async function takeProviderName() {
    if (await save.run({ body: { name: null } })) setDraft(provider_name)
  }
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={submit}>
      <TextField
        ref={field}
        label={texts.name.label}
        value={draft}
        maxLength={lengths.personName}
        autoComplete="name"
        aria-describedby={warningId}
        onChange={setDraft}
      />
      {/* Empty it takes no room, but stays in the accessibility tree: else its first text would not be announced. */}
      <p id={warningId} role="status" className="text-small empty:absolute">
        {namesake && texts.name.taken({ name: `${namesake.name} (@${namesake.username})` })}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="soft" busy={save.busy}>
          {texts.name.save}
        </Button>
        {name !== provider_name && (
          <Button onClick={() => void takeProviderName()}>{texts.name.back({ name: provider_name })}</Button>
        )}
      </div>
    </form>
  )
}

/** Each language by its own name, so that people who cannot read the current one find it. */
function Language() {
  const save = useSave()
  const [chosen, setChosen] = useState<string>(storedLanguage() ?? '')

  async function choose(value: string) {
    const language = isLocale(value) ? value : null
    setChosen(value)
    // First on the server, whose language the page would take over otherwise when it is loaded again.
    if (!(await save.run({ body: { language } }))) return setChosen(storedLanguage() ?? '')
    storeLanguage(language ?? undefined)
    window.location.reload()
  }
  return (
    <Section heading={texts.language.heading}>
      <SelectField
        label={texts.language.label}
        value={chosen}
        choices={[
          { value: '', label: texts.language.system },
          ...locales.map(value => ({ value, label: localeNames[value] })),
        ]}
        onChange={value => void choose(value)}
      />
    </Section>
  )
}

function Notifications({ settings: { muted, wanted } }: { settings: MySettings }) {
  const save = useSave()
  const mayReview = useCan('albums.edit')
  // Shown at once; the stored value follows.
  const [chosen, setChosen] = useState<readonly MutableKind[] | null>(null)
  const now = chosen ?? muted
  const [chosenToWant, setChosenToWant] = useState<readonly OptionalKind[] | null>(null)
  const wantedNow = chosenToWant ?? wanted

  async function toggle(kind: MutableKind) {
    const next = now.includes(kind) ? now.filter(one => one !== kind) : [...now, kind]
    setChosen(next)
    if (!(await save.run({ body: { muted: [...next] } }))) setChosen(null)
  }

  async function toggleWanted(kind: OptionalKind) {
    const next = wantedNow.includes(kind) ? wantedNow.filter(one => one !== kind) : [...wantedNow, kind]
    setChosenToWant(next)
    if (!(await save.run({ body: { wanted: [...next] } }))) setChosenToWant(null)
  }
  return (
    <Section heading={texts.notifications.heading}>
      <ul className="flex flex-col">
        {MutableKind.options
          .filter(kind => kind !== 'guests' || mayReview)
          .map(kind => (
            <SwitchItem
              key={kind}
              label={texts.notifications.kinds[kind]}
              on={!now.includes(kind)}
              onToggle={() => void toggle(kind)}
            />
          ))}
        {OptionalKind.options.map(kind => (
          <SwitchItem
            key={kind}
            label={texts.notifications.optional[kind]}
            on={wantedNow.includes(kind)}
            onToggle={() => void toggleWanted(kind)}
          />
        ))}
      </ul>
    </Section>
  )
}

function Start({ settings, onStartView }: { settings: MySettings; onStartView: Props['onStartView'] }) {
  const save = useSave(texts.saved)

  function chooseView(value: string) {
    const view = StartView.safeParse(value).data ?? null
    if (view !== null) onStartView(view)
    void save.run({ body: { start_view: view } })
  }
  return (
    <Section heading={texts.start.heading}>
      <SelectField
        label={texts.start.view}
        value={settings.start_view ?? ''}
        choices={[
          { value: '', label: texts.start.asBefore },
          ...StartView.options.map(value => ({ value, label: texts.start.views[value] })),
        ]}
        onChange={chooseView}
      />
      <SelectField
        label={texts.start.sort}
        value={settings.start_sort}
        choices={SortField.options.map(value => ({ value, label: texts.start.sorts[value] }))}
        onChange={value => void save.run({ body: { start_sort: SortField.parse(value) } })}
      />
    </Section>
  )
}
