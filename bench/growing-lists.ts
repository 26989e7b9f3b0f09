/**
 * The cost of one more entry in a long list, compared with the first: notes and tags of a file, messages of a
 * conversation, notifications, folders, files of a folder, finished uploads, audit lines. And how long another member's
 * folder waits while thirty long notes are written at once. On SQLite and Postgres; ENTRIES sets another length.
 */
import { recordAudit } from '../server/src/audit/public.ts'
import { createGroup } from '../server/src/chat/conversations.ts'
import { listMessages, sendMessage } from '../server/src/chat/messages.ts'
import { addComment, type CommentDeps, deleteComment, updateComment } from '../server/src/comments/comments.ts'
import { mediaSubject } from '../server/src/comments/subjects.ts'
import type { Database } from '../server/src/db/database.ts'
import { createFolder, deleteFolder, updateFolder } from '../server/src/folders/folders.ts'
import { systemClock as clock } from '../server/src/kit/clock.ts'
import { mediaColumns } from '../server/src/media/columns.ts'
import { moveFiles } from '../server/src/media/edit.ts'
import { insertMedia } from '../server/src/media/media.sql.ts'
import { newUploadId } from '../server/src/media/upload/resumable-store.ts'
import { insertFinishedUpload } from '../server/src/media/upload/uploads.sql.ts'
import { countUnread, notificationsOf } from '../server/src/notifications/inbox.sql.ts'
import { notify } from '../server/src/notifications/notify.ts'
import { addTag, removeTag } from '../server/src/tags/tags.ts'
import { onBothEngines } from './lib/engines.ts'
import { line, median } from './lib/report.ts'

const ENTRIES = Number(process.env.ENTRIES ?? 10_000)
const MEASURED_AT = [1, 120, 1_000, 10_000].filter(length => length <= ENTRIES)
const ROUNDS = 15
let added = 0

type Act = (number: number) => Promise<unknown>

await onBothEngines(measureAll)

async function measureAll(engine: string, db: Database): Promise<void> {
  console.log(engine)
  const [me, you, third] = [await addPerson(db, 'me'), await addPerson(db, 'you'), await addPerson(db, 'third')]
  const deps = { db, clock }
  const chat = { ...deps, storage: { signedUrl: (key: string) => key }, avatarUrl: (key: string) => key }

  const noted = await addFile(db, me)
  await measure('a note of 5,000 letters, on a file', {
    fill: i => addNote(deps, me, noted, text(300, i)),
    measured: i => addNote(deps, me, noted, text(5_000, i)),
  })
  const { id: noteId } = await addNote(deps, me, noted, 'to be edited')
  report(`editing a note beside ${ENTRIES} others`, [
    await timed(i =>
      updateComment(deps, mediaSubject, { id: me, role: 'member' }, noteId, { content: text(5_000, i) }),
    ),
  ])
  report(`deleting a note beside ${ENTRIES} others`, [
    await timedOnce(() => deleteComment(deps, mediaSubject, { id: me, role: 'member' }, noteId)),
  ])
  await crowd(deps, noted, me, you)

  const tagged = await addFile(db, me)
  await measure('a new tag, on a file', { fill: i => addTag(deps, me, tagged, `tag ${text(20, i)} ${i}`) })
  const tag = await addTag(deps, me, tagged, 'to be removed')
  report(`removing a tag beside ${ENTRIES} others`, [await timedOnce(() => removeTag(deps, me, tagged, tag.id))])

  const group = await createGroup(chat, me, { title: 'Family', participantIds: [you, third] })
  const message = (i: number) => ({ content: text(200, i), clientId: undefined, mediaId: undefined })
  await measure('a message in a conversation', { fill: i => sendMessage(chat, me, group.id, message(i)) })
  report('the newest 50 messages', [
    await timed(() => listMessages(chat, me, group.id, { limit: 50, before: undefined })),
  ])

  const about = { subject: 'note' as const, media_id: noted }
  const by = new Map([[you, 'mention' as const]])
  await measure('a notification', { fill: () => db.transaction(tx => notify(deps, tx, { actorId: me, about, by })) })
  const reader = { id: you, role: 'member' as const }
  report('the newest 50 notifications', [
    await timed(() => notificationsOf(db.query, reader, { limit: 50, before: undefined })),
  ])
  report('counting the unread', [await timed(() => countUnread(db.query, reader))])

  await measure('a folder beside others', {
    fill: i => createFolder(deps, me, { name: `folder ${i}`, parentId: null }),
  })
  const own = await createFolder(deps, me, { name: 'renamed', parentId: null })
  report(`renaming a folder beside ${ENTRIES} others`, [
    await timed(i =>
      updateFolder(deps, me, own.id, { name: `renamed ${i}`, parentId: undefined, expected: undefined }),
    ),
  ])
  const files: number[] = []
  await measure('a file into a folder', {
    fill: async i => {
      files.push(await addFile(db, me))
      await moveFiles(deps, me, { fileIds: [files[i] ?? 0], folderId: own.id })
    },
  })
  const spare = await createFolder(deps, me, { name: 'spare', parentId: null })
  report('deleting an empty folder', [await timedOnce(() => deleteFolder(deps, me, spare.id))])

  await measure('a finished upload', { fill: () => insertFinishedUpload(db.query, newUploadId(me), tagged, clock()) })
  const purged: number[] = []
  for (let i = 0; i < ROUNDS; i++) purged.push(await addFile(db, me))
  const purge = (i: number) =>
    db.transaction(tx =>
      tx
        .deleteFrom('media')
        .where('id', '=', purged[i] ?? 0)
        .execute(),
    )
  report('forgetting a file for good', [await timed(purge)])

  const subject = { type: 'media', id: noted }
  await measure('an audit line', {
    fill: () => db.transaction(tx => recordAudit(tx, [{ at: clock(), actorId: me, act: 'media.move', subject }])),
  })
}

/** Thirty notes at once by one member on a file with 500 long ones, and a folder by another member. */
async function crowd(deps: { db: Database; clock: () => number }, media: number, me: number, you: number) {
  for (let i = 0; i < 500; i++) await addNote(deps, me, media, text(5_000, i))
  const notes = Array.from({ length: 30 }, (_, i) => addNote(deps, me, media, text(5_000, i)))
  const took = await timedOnce(() => createFolder(deps, you, { name: 'Behind thirty notes', parentId: null }))
  await Promise.all(notes)
  line('a folder behind thirty long notes at once', `${took.toFixed(0)} ms`, '1,000 ms', took <= 1_000)
}

async function measure(what: string, { fill, measured = fill }: { fill: Act; measured?: Act }): Promise<void> {
  const times: number[] = []
  let length = 0
  for (const wanted of MEASURED_AT) {
    for (; length < wanted - 1; length++) await fill(length)
    times.push(
      await timed(async () => {
        await measured(length)
        length += 1
      }),
    )
  }
  report(what, times)
}

/** The last may cost a few times the first (a deeper index), never in proportion to the length. */
function report(what: string, times: number[]): void {
  const [first = 0, last = first] = [times[0], times.at(-1)]
  const measured = times
    .map((ms, i) => `${times.length > 1 ? `${MEASURED_AT[i]}th ` : ''}${ms.toFixed(1)} ms`)
    .join(', ')
  if (times.length === 1) line(what, measured, '30 ms', first <= 30)
  else line(what, measured, '3 times the first, or 10 ms', last <= Math.max(10, 3 * first))
}

async function timed(act: Act): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timedOnce(() => act(round)))
  return median(times)
}

async function timedOnce(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

/** A reproducible text with as many different trigrams as its length allows. */
function text(length: number, seed: number): string {
  let state = (seed + 1) * 2_654_435_761
  let letters = ''
  while (letters.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    letters += state.toString(36)
    if (state % 3 === 0) letters += ' '
  }
  return letters.slice(0, length).trim()
}

async function addPerson(db: Database, name: string): Promise<number> {
  const { id } = await db.query
    .insertInto('people')
    .values({
      issuer: 'bench',
      subject: name,
      email: `${name}@example.org`,
      username: name,
      name,
      role: 'member',
      status: 'approved',
      requested_at: 0,
      avatar_source: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function addFile(db: Database, by: number): Promise<number> {
  const name = `IMG_${++added}.jpg`
  const nothing = { metadata: null, takenAt: null, location: null, camera: null, fileDate: null }
  const facts = { name, ...nothing, uploadedAt: clock(), homeTimeZone: 'UTC' }
  const media = await db.transaction(tx =>
    insertMedia(tx, {
      ...mediaColumns(facts),
      original_name: name,
      file_type: 'image',
      format: 'jpeg',
      mime_type: 'image/jpeg',
      file_size: 1,
      hash: String(added).padStart(64, '0'),
      uploaded_at: clock(),
      uploaded_by: by,
      version: 1,
      status: 'ready',
    }),
  )
  if (!media) throw new Error('Every file has a hash of its own')
  return media.id
}

function addNote(deps: CommentDeps, authorId: number, subjectId: number, content: string) {
  return addComment(deps, mediaSubject, { authorId, subjectId, content })
}
