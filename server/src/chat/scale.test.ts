import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Conversation } from '#contract/chat.ts'
import { groupOf, say } from '../../test/fixtures/conversations.ts'
import { anotherServersDatabase, type Library, startLibrary } from '../../test/library.ts'
import { type ChatDeps, listConversations } from './conversations.ts'
import { listMessages } from './messages.ts'

const MANY = 50_000

test('a list of conversations takes the same number of queries, be there one or thirty', async () => {
  const { library, ben, others } = await family()
  const { deps, queries } = await counting(library)
  const benId = await library.idOf(ben.person)
  const first = await groupOf(library, 'First', ben, ...others)
  await say(ben, first, 'Hello')
  expect(await queries(() => listConversations(deps, benId))).toBe(2)
  for (let i = 0; i < 29; i++) await say(ben, await groupOf(library, `Group ${i}`, ben, ...others), `Hello ${i}`)
  expect(await queries(() => listConversations(deps, benId))).toBe(2)
  expect(await listConversations(deps, benId)).toHaveLength(30)
})

test('the newest of 50,000 messages are read as the newest of 50 are, though others said as much since', async () => {
  const { library, ben, others } = await family()
  const { deps, queries, planOfLast } = await counting(library)
  const benId = await library.idOf(ben.person)
  const [small, large, later] = [
    await groupOf(library, 'Small', ben, ...others),
    await groupOf(library, 'Large', ben, ...others),
    await groupOf(library, 'Later', ben, ...others),
  ]
  await fill(library, small, benId, 50)
  await fill(library, large, benId, MANY)
  await fill(library, later, benId, MANY)
  await library.rows('analyze')
  for (const { id } of [small, large]) {
    const [newest] = await listMessages(deps, benId, id, { limit: 20, before: undefined })
    for (const before of [undefined, newest?.id]) {
      expect(await queries(() => listMessages(deps, benId, id, { limit: 20, before }))).toBe(2)
      const plan = await planOfLast()
      expect(plan).toContain('messages_conversation_id_newest_idx')
      expect(plan).not.toMatch(/"Rows Removed by Filter":[1-9]|"Node Type":"Sort"/)
    }
  }
  const page = await listMessages(deps, benId, large.id, { limit: 50, before: undefined })
  expect([page.length, page.at(-1)?.content]).toEqual([50, `Message ${MANY}`])
})

async function family() {
  const library = await startLibrary({ engine: 'postgres' })
  onTestFinished(library.close)
  return { library, ben: await library.newMember(), others: [await library.newMember(), await library.newMember()] }
}

/** The chat functions on a database that counts queries. */
async function counting(library: Library) {
  const db = await anotherServersDatabase(library)
  let asked: CompiledQuery[] = []
  const counter: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      asked.push(db.query.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const deps: ChatDeps = {
    db: { ...db, query: db.query.withPlugin(counter) },
    clock: library.now,
    storage: { signedUrl: key => `/files/${key}` },
    avatarUrl: key => `/files/${key}`,
  }
  const queries = async (work: () => Promise<unknown>) => {
    asked = []
    await work()
    return asked.length
  }
  const planOfLast = async () => {
    const { sql, parameters } = asked.findLast(query => query.sql.includes('from "messages"')) ?? {
      sql: '',
      parameters: [],
    }
    const plan = await db.query.executeQuery(
      CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]),
    )
    return JSON.stringify(plan.rows)
  }
  return { deps, queries, planOfLast }
}

async function fill(library: Library, { id }: Conversation, senderId: number, count: number): Promise<void> {
  await library.rows(
    `insert into messages (conversation_id, sender_id, content, created_at)
     select ${id}, ${senderId}, 'Message ' || n, ${library.now()} + n from generate_series(1, ${count}) as n`,
  )
}
