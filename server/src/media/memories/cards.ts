import { DAY, topCards } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'
import type { Card, CardKey, GalleryTop } from '#contract/memories.ts'
import { can } from '#contract/rights.ts'
import type { Role } from '#contract/role.ts'
import type { Database } from '../../db/database.ts'
import { type Clock, toIso } from '../../kit/clock.ts'
import { announce } from '../../live/announce.ts'
import { wallClockIn } from '../../processing/dates/time-zones.ts'
import { selectByIds } from '../list.sql.ts'
import { type PresentDeps, presentAll } from '../present.ts'
import {
  deletePutAway,
  idsOfAdded,
  idsOfNewHearts,
  insertPutAway,
  selectAdded,
  selectCovers,
  selectNewHearts,
  selectPutAway,
  selectWaiting,
} from './cards.sql.ts'
import { dayNumber, daysInOtherYears } from './days.ts'
import { selectMemories } from './memories.sql.ts'
import { groupsOf } from './memories.ts'
import { findVisit } from './visits.sql.ts'
import { newSince } from './visits.ts'

export interface CardDeps extends PresentDeps {
  db: Database
  clock: Clock
  config: { homeTimeZone: string }
}

interface Reader {
  id: number
  role: Role
}

type Uncovered = Card extends infer One ? (One extends Card ? Omit<One, 'cover'> : never) : never

/** A card, and the files of which the first one that has a picture is its cover. */
interface Planned {
  card: Uncovered
  covers: readonly number[]
}

/** Above the files of the gallery. Part of the first screen, so that nothing moves when it arrives. */
export async function galleryTop(deps: CardDeps, reader: Reader, today: string): Promise<GalleryTop> {
  const { db, storage } = deps
  const [visit, putAway] = await Promise.all([findVisit(db.query, reader.id), selectPutAway(db.query, reader.id)])
  const since = newSince(visit, deps.clock())
  const planned = (
    await Promise.all([
      since === null ? [] : addedCards(deps, reader, since),
      memoryCards(deps, reader, today),
      can(reader.role, 'albums.edit') ? guestCards(deps) : [],
      since === null ? [] : heartCards(deps, reader, since),
    ])
  )
    .flat()
    .filter(({ card }) => !(Date.parse(card.until) <= (putAway.get(card.key) ?? 0)))
  const covers = await selectCovers(db.query, [...new Set(planned.flatMap(({ covers }) => covers))])
  const byId = new Map(covers.map(cover => [cover.id, cover]))
  const used = new Set<number>()
  const cards = planned.map(({ card, covers }): Card => {
    const known = covers.flatMap(id => byId.get(id) ?? [])
    // Neighbours with the same photo look like a mistake.
    const cover = known.find(({ id }) => !used.has(id)) ?? known[0]
    if (cover) used.add(cover.id)
    const url = (key: string | null) => key && storage.signedUrl(key)
    return {
      ...card,
      cover: cover
        ? {
            id: cover.id,
            thumbhash: cover.thumbhash,
            thumbnail_url: url(cover.thumbnail_key),
            mobile_url: url(cover.mobile_key),
          }
        : null,
    }
  })
  return { cards }
}

async function addedCards({ db, clock, config }: CardDeps, { id }: Reader, since: number): Promise<Planned[]> {
  const offset = homeOffset(config.homeTimeZone, clock())
  const rows = await selectAdded(db, { personId: id, since, offset })
  return rows.map(({ person_id, name, day, count, images, from, until, newest_id, oldest_id }) => ({
    card: {
      kind: 'added',
      key: `added:${person_id}:${day}`,
      until: toIso(until),
      person: { id: person_id, name },
      from: toIso(from),
      count,
      images,
    },
    covers: [newest_id, oldest_id],
  }))
}

async function heartCards({ db }: CardDeps, { id }: Reader, since: number): Promise<Planned[]> {
  const rows = await selectNewHearts(db, { personId: id, since })
  return rows.map(({ person_id, name, count, images, until, newest_id, oldest_id }) => ({
    card: {
      kind: 'hearts',
      key: `hearts:${person_id}`,
      until: toIso(until),
      person: { id: person_id, name },
      count,
      images,
    },
    covers: [newest_id, oldest_id],
  }))
}

async function guestCards({ db }: CardDeps): Promise<Planned[]> {
  const waiting = await selectWaiting(db)
  if (waiting === undefined) return []
  const { count, media_id, sent_at } = waiting
  return [
    {
      card: { kind: 'guests', key: 'guests', until: toIso(sent_at ?? 0), count },
      covers: media_id === null ? [] : [media_id],
    },
  ]
}

async function memoryCards({ db }: CardDeps, { id }: Reader, today: string): Promise<Planned[]> {
  const rows = await selectMemories(db, id, daysInOtherYears(today), topCards.coversOfMemory)
  // Put away for today: next year it is there again.
  const until = toIso(dayNumber(today) * DAY)
  return groupsOf(rows, today)
    .slice(0, topCards.perKind)
    .map(({ rows, ...group }) => ({
      card: { kind: 'memory', key: `memory:${group.date}`, until, ...group },
      covers: rows.map(row => row.id),
    }))
}

/** How far the clocks of home are ahead of UTC, in milliseconds. */
function homeOffset(zone: string, now: number): number {
  return (wallClockIn(zone, now)?.offsetMinutes ?? 0) * 60_000
}

/** What a card shows, one file after the other. */
export async function filesOfCard(deps: CardDeps, personId: number, key: CardKey): Promise<{ files: MediaFile[] }> {
  const ids = await idsOfCard(deps, personId, key)
  if (ids.length === 0) return { files: [] }
  return { files: await presentAll(deps, await selectByIds(deps.db, ids)) }
}

async function idsOfCard({ db, clock, config }: CardDeps, personId: number, key: CardKey): Promise<number[]> {
  const [kind, first = '', second = ''] = key.split(':')
  if (kind === 'memory') {
    const rows = await selectMemories(db, personId, [dayNumber(first)], topCards.story)
    return rows.toSorted((a, b) => a.date_sort - b.date_sort || a.id - b.id).map(row => row.id)
  }
  const since = newSince(await findVisit(db.query, personId), clock())
  if (since === null) return []
  if (kind === 'hearts') return idsOfNewHearts(db, { personId, since, loverId: Number(first) })
  if (kind !== 'added') return []
  const begin = Number(second) * DAY - homeOffset(config.homeTimeZone, clock())
  const from = Math.max(begin, since + 1)
  return idsOfAdded(db, { personId, uploaderId: Number(first), from, before: begin + DAY })
}

/** Concerns the person alone: no audit entry. It is shown again when it has something newer to show. */
export async function putCardAway(
  { db, clock }: CardDeps,
  personId: number,
  card: CardKey,
  until: string,
): Promise<void> {
  await db.transaction(async tx => {
    const now = clock()
    // Today begins a day earlier in the east.
    await insertPutAway(tx, { personId, card, until: Math.min(Date.parse(until), now + DAY), at: now })
    await announce(db, tx, { kind: 'memories' }, [personId])
  })
}

export async function showCardAgain({ db }: CardDeps, personId: number, card: CardKey): Promise<void> {
  await db.transaction(async tx => {
    await deletePutAway(tx, personId, card)
    await announce(db, tx, { kind: 'memories' }, [personId])
  })
}
