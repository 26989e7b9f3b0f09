import { createHash } from 'node:crypto'
import { asName, isVisible } from '#contract/common.ts'
import { lengths } from '#contract/limits.ts'
import { NoteContent } from '#contract/notes.ts'
import { addImportedComment, albumSubject, mediaSubject } from '../comments/public.ts'
import type { Tx } from '../db/schema.ts'
import { nameFromDisk } from '../kit/name-from-disk.ts'
import { captionFile, captionOf, correctDates, correctPlaces } from '../media/public.ts'
import type { Importing } from './importing.ts'
import { comparableName, factsOf, findLacking, recordFacts, recordNames } from './imports.sql.ts'
import type { ImportAlbum, ImportedComment, ImportItem } from './plan.ts'
import { resolveDate } from './resolve-date.ts'

/**
 * Date, place and caption of a file that was here already, where it lacks them and nobody has changed them. As changes of the
 * person who imports, so that they can be undone. Returns whether it lacked any of them.
 */
export async function completeFile(importing: Importing, mediaId: number, { facts }: ImportItem): Promise<boolean> {
  const { db, personId, importId, tools, changes } = importing
  const file = await findLacking(db.query, mediaId)
  if (!file) return false
  const given = await factsOf(db.query, mediaId)
  const { date, place, description } = facts
  let completed = false
  const give = async (fact: string, change: () => Promise<{ change_id: number | null }>) => {
    if (given.has(fact)) return
    const { change_id } = await change()
    await db.transaction(tx => recordFacts(tx, importId, [{ mediaId, fact, changeId: change_id }]))
    completed ||= change_id !== null
  }
  const { original_name: name, date_source, latitude, longitude } = file
  const lacksDate = file.corrected_by === null && (date_source === null || ['file', 'modified'].includes(date_source))
  if (date && lacksDate) {
    const { homeTimeZone } = tools
    const position = place ?? { latitude, longitude }
    const edtf = resolveDate(date, { name, takenAt: null, ...position, homeTimeZone })
    const change = edtf && ({ kind: 'set', edtf } as const)
    if (change) {
      await give('date', () =>
        changes.continued('media.date', continues =>
          correctDates(importing, personId, { fileIds: [mediaId], change, continues }),
        ),
      )
    }
  }
  if (place && latitude === null && file.place_kind === null) {
    await give('place', () =>
      changes.continued('media.place', continues =>
        correctPlaces(importing, personId, { fileIds: [mediaId], place, continues }),
      ),
    )
  }
  const caption = captionOf(description ?? null)
  if (caption !== null && file.caption === null && file.caption_source === null) {
    await give('caption', () => captionFile(importing, personId, mediaId, { caption }))
  }
  return completed
}

/** Notes, comments and people's names, once each. */
export async function addTexts(importing: Importing, tx: Tx, mediaId: number, { facts }: ImportItem): Promise<void> {
  const { importId } = importing
  const names = [...new Set(facts.people.map(name => nameFromDisk(asName(name), lengths.personName)))].filter(isVisible)
  const texts = textsOf(importing, facts)
  if (names.length === 0 && texts.length === 0) return
  const given = await factsOf(tx, mediaId)
  const lackingNames = names.filter(name => !given.has(`name:${name}`))
  await recordNames(tx, importId, mediaId, lackingNames)
  const added = lackingNames.map(name => ({ mediaId, fact: `name:${name}` }))
  for (const text of texts) {
    const clientId = clientIdOf('media', mediaId, text)
    const fact = `comment:${clientId}`
    if (given.has(fact)) continue
    await addImportedComment(importing, tx, mediaSubject, { ...text, subjectId: mediaId, clientId })
    added.push({ mediaId, fact })
  }
  await recordFacts(tx, importId, added)
}

export async function addAlbumComments(
  importing: Importing,
  tx: Tx,
  albumId: number,
  { comments }: ImportAlbum,
): Promise<void> {
  for (const text of commentsOf(importing, comments)) {
    const clientId = clientIdOf('album', albumId, text)
    await addImportedComment(importing, tx, albumSubject, { ...text, subjectId: albumId, clientId })
  }
}

interface Text {
  authorId: number
  actorId: number
  content: string
  at: number
}

function textsOf(importing: Importing, { description, notes, comments, hearts }: ImportItem['facts']): Text[] {
  const { personId, people, clock } = importing
  const caption = captionOf(description ?? null)
  const isLong = description !== undefined && asName(description) !== caption
  const own = [...(isLong ? [description] : []), ...notes]
  const unknown = hearts.filter(name => people.get(comparableName(name)) === undefined)
  return [
    ...own.flatMap(text => textOf(text, { authorId: personId, actorId: personId, at: clock() })),
    ...commentsOf(importing, comments),
    ...unknown.flatMap(name => textOf(`♥ ${name}`, { authorId: personId, actorId: personId, at: clock() })),
  ]
}

/** By the person of that name, or with the name as text where nobody or more than one has it. */
function commentsOf({ people, personId, clock }: Importing, comments: readonly ImportedComment[]): Text[] {
  return comments.flatMap(({ author, at, text }) => {
    const authorId = people.get(comparableName(author))
    const content = authorId === undefined && isVisible(author) ? `${author}: ${text}` : text
    return textOf(content, { authorId: authorId ?? personId, actorId: personId, at: at ?? clock() })
  })
}

function textOf(content: string, by: Omit<Text, 'content'>): Text[] {
  const note = NoteContent.safeParse([...content].slice(0, lengths.note).join(''))
  return note.success ? [{ ...by, content: note.data }] : []
}

function clientIdOf(subject: 'media' | 'album', id: number, { authorId, content }: Text): string {
  const text = JSON.stringify([subject, id, authorId, content])
  return `import:${createHash('sha256').update(text).digest('base64url')}`
}
