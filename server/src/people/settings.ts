import type { ParsedInput } from '#contract/endpoint.ts'
import type { changeMySettings, MySettings } from '#contract/settings.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { Handle, PersonRow, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import { personById } from './people.sql.ts'
import { mutedKinds, replaceMutedKinds, replaceWantedKinds, updateSettings, wantedKinds } from './settings.sql.ts'

/** In `avatar_source`: the person has uploaded their picture, so the provider's is not copied. */
export const OWN_PICTURE = 'own'

export async function readSettings(handle: Handle, personId: number): Promise<MySettings> {
  const person = await found(handle, personId)
  return {
    name: person.name,
    provider_name: person.provider_name ?? person.name,
    own_picture: person.avatar_source === OWN_PICTURE,
    muted: await mutedKinds(handle, personId),
    wanted: await wantedKinds(handle, personId),
    start_view: person.start_view,
    start_sort: person.start_sort ?? 'date',
    language: person.language,
  }
}

export async function changeSettings(
  { db, clock }: { db: Database; clock: Clock },
  personId: number,
  change: ParsedInput<typeof changeMySettings>['body'],
): Promise<MySettings> {
  return db.transaction(async tx => {
    const before = await found(tx, personId)
    const { name, muted, wanted, ...view } = change
    await updateSettings(tx, personId, { ...view, ...(name === undefined ? {} : namesAfter(before, name)) })
    if (muted) await replaceMutedKinds(tx, personId, muted)
    if (wanted) await replaceWantedKinds(tx, personId, wanted)
    const settings = await readSettings(tx, personId)
    if (settings.name !== before.name) {
      const subject = { type: 'person', id: personId }
      const line = {
        at: clock(),
        actorId: personId,
        act: 'person.rename',
        subject,
        before: { name: before.name },
      } as const
      await recordAudit(tx, [line])
    }
    // Others see the name; the settings themselves concern only this person.
    await announce(db, tx, { kind: 'people' }, settings.name === before.name ? [personId] : 'everyone')
    return settings
  })
}

/** While a person has chosen a name, the one at the provider is kept beside it, to go back to. */
function namesAfter({ name, provider_name }: PersonRow, chosen: string | null) {
  const atProvider = provider_name ?? name
  return chosen === null || chosen === atProvider
    ? { name: atProvider, provider_name: null }
    : { name: chosen, provider_name: atProvider }
}

async function found(handle: Handle | Tx, personId: number): Promise<PersonRow> {
  const person = await personById(handle, personId)
  if (!person) throw new AppError('not_signed_in', 'auth.signIn')
  return person
}
