import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { createFolder } from '#contract/folders.ts'
import { comments } from '#contract/limits.ts'
import { listMedia } from '#contract/media-list.ts'
import { addNote, notesOfFile } from '#contract/notes.ts'
import { insertMedia, withDatabase } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { type Library, onBothEngines } from '../../test/library.ts'
import type { Database } from '../db/database.ts'
import { searchable } from '../kit/searchable.ts'
import { shareLockActiveMedia } from '../media/public.ts'
import { addComment, deleteComment, updateComment } from './comments.ts'
import { mediaSubject } from './subjects.ts'

vi.setConfig({ testTimeout: 120_000 })

const OTHERS = 500

/** A text with as many distinct trigrams as possible. */
function longText(seed: number, length = 5_000): string {
  let state = seed + 1
  let letters = ''
  while (letters.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    letters += state.toString(36)
  }
  return letters.slice(0, length)
}

async function fileWithNotes(library: Library, notes: number): Promise<number> {
  const [id = 0] = await insertMedia(library, [{ name: 'noted.jpg' }])
  const author_id = await library.idOf('ben')
  await withDatabase(library, db =>
    db.transaction(async tx => {
      const rows = Array.from({ length: notes }, (_, i) => {
        const content = longText(i)
        return { media_id: id, author_id, content, search_text: searchable(content), created_at: i }
      })
      if (rows.length > 0) await tx.insertInto('comments').values(rows).execute()
    }),
  )
  return id
}

onBothEngines('a note on a file with hundreds of them', (library, engine) => {
  test.runIf(engine === 'sqlite')('writes no more rows than the first one, index included', async () => {
    await memberOf(library())
    const [few, many] = [await fileWithNotes(library(), 0), await fileWithNotes(library(), OTHERS)]
    const author = await library().idOf('ben')
    await withDatabase(library(), async db => {
      const deps = { db, clock: library().now }
      /** Counted on the writing connection, so it includes the writes of triggers and the index. */
      const written = async (act: () => Promise<unknown>) => {
        const before = await totalChanges(db)
        await act()
        return (await totalChanges(db)) - before
      }
      const costOn = async (file: number) => {
        const costs: number[][] = []
        for (let i = 0; i < 9; i++) {
          let id = 0
          const add = async () => {
            id = (
              await addComment(deps, mediaSubject, { authorId: author, subjectId: file, content: longText(1_000 + i) })
            ).id
          }
          costs.push([
            await written(add),
            await written(() =>
              updateComment(deps, mediaSubject, { id: author, role: 'member' }, id, { content: longText(2_000 + i) }),
            ),
            await written(() => deleteComment(deps, mediaSubject, { id: author, role: 'member' }, id)),
          ])
        }
        return [0, 1, 2].map(act => costs.map(cost => cost[act] ?? 0).toSorted((a, b) => a - b)[4] ?? 0)
      }
      const [first, last] = [await costOn(few), await costOn(many)]
      expect(Math.min(...first)).toBeGreaterThan(0)
      for (const [act, rows] of first.entries()) expect(last[act]).toBeLessThanOrEqual(2 * rows)
    })
  })

  test.runIf(engine === 'postgres')('does not wait for another note on the same file', async () => {
    await memberOf(library())
    const file = await fileWithNotes(library(), 0)
    const author = await library().idOf('ben')
    await withDatabase(library(), async db => {
      const deps = { db, clock: library().now }
      await db.transaction(async tx => {
        // The first statement of every note; its transaction is still open.
        await shareLockActiveMedia(db, tx, file)
        await addComment(deps, mediaSubject, { authorId: author, subjectId: file, content: 'written beside it' })
      })
    })
  })

  test('leaves the rows of the file and of the other notes alone, though thirty come at once', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await fileWithNotes(library(), OTHERS)
    /** On Postgres, the transaction ids (xmin) that wrote these rows. */
    const versions = () =>
      engine === 'postgres'
        ? library().rows(
            `select xmin::text as writer, search_text from media_search_texts where media_id = ${id}
             union all select xmin::text, search_text from comments where media_id = ${id} and created_at < ${OTHERS} order by 1, 2`,
          )
        : library().rows(`select search_text from media_search_texts where media_id = ${id}`)
    const before = await versions()
    const notes = Array.from({ length: 30 }, (_, i) =>
      ben.call(addNote, { params: { id }, body: { content: `thirty ${i} ${longText(i, 4_900)}` } }),
    )
    const [folder] = await Promise.all([rose.call(createFolder, { body: { name: `Beside ${engine}` } }), ...notes])
    expect(folder.file_count).toBe(0)
    expect(await versions()).toEqual(before)
    const latest = await ben.call(notesOfFile, { params: { id }, query: {} })
    expect(latest).toHaveLength(comments.page)
    expect(latest.filter(({ content }) => content.startsWith('thirty '))).toHaveLength(30)
    const earlier = await ben.call(notesOfFile, { params: { id }, query: { before: latest[0]?.id } })
    expect(earlier).toHaveLength(comments.page)
    expect(earlier.at(-1)?.id).toBeLessThan(latest[0]?.id ?? 0)
    const found = await ben.call(listMedia, { query: { search: 'noted.jpg thirty' } })
    expect(found.files.map(file => file.id)).toEqual([id])
    expect(found.count).toBe(1)
  })
})

async function totalChanges(db: Database): Promise<number> {
  return db.transaction(async tx => {
    const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(tx)
    return rows[0]?.changes ?? 0
  })
}
