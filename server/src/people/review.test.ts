import { describe, expect, onTestFinished, test } from 'vitest'
import { whoAmI } from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import {
  adminStats,
  approvePerson,
  denyPerson,
  listPeople,
  type PersonStatus,
  reapprovePerson,
  revokePerson,
} from '#contract/people.ts'
import { engines, type Library, onBothEngines, startLibrary } from '../../test/library.ts'

type Decision = typeof approvePerson

const conflict = { status: 409, code: 'conflict' }
const ways: Record<PersonStatus, Decision[]> = {
  pending: [],
  approved: [approvePerson],
  denied: [denyPerson],
  revoked: [approvePerson, revokePerson],
}
const allowed: Record<PersonStatus, Map<Endpoint, PersonStatus>> = {
  pending: new Map([
    [approvePerson, 'approved'],
    [denyPerson, 'denied'],
  ]),
  approved: new Map([[revokePerson, 'revoked']]),
  denied: new Map([[reapprovePerson, 'approved']]),
  revoked: new Map([[reapprovePerson, 'approved']]),
}
const decisions = [approvePerson, denyPerson, revokePerson, reapprovePerson]
const everyStep = Object.keys(ways).flatMap(status =>
  decisions.map(decision => ({ status: status as PersonStatus, decision, path: decision.path })),
)

onBothEngines('reviewing requests', library => {
  test.each(everyStep)('somebody $status, and $path', async ({ status, decision }) => {
    const ada = await library().admin()
    const id = await somebody(library(), status)
    const next = allowed[status].get(decision)
    const before = await personRow(library(), id)
    if (next) {
      await ada.call(decision, { params: { id } })
      const adasId = await library().idOf('ada')
      expect(await personRow(library(), id)).toMatchObject({ status: next, reviewed_by: adasId })
    } else {
      await expect(ada.call(decision, { params: { id } })).rejects.toMatchObject(conflict)
      expect(await personRow(library(), id)).toEqual(before)
    }
  })

  test('an approved person is let in at their next sign-in', async () => {
    const stranger = library().newPerson()
    await library().signIn(stranger)
    const ada = await library().admin()
    await ada.call(approvePerson, { params: { id: await library().idOf(stranger) } })
    const member = await library().signInAs(stranger)
    expect(await member.call(whoAmI)).toMatchObject({ name: stranger.name, role: 'member', avatar_url: null })
    const family = await member.call(listPeople)
    expect(family.map(({ name }) => name)).toContain(stranger.name)
  })

  test('the numbers, the lists and the dates agree', async () => {
    const ada = await library().admin()
    const waiting = await somebody(library(), 'pending')
    const denied = await somebody(library(), 'denied')
    const revoked = await somebody(library(), 'revoked')
    const stats = await ada.call(adminStats)
    expect(stats.pendingUserCount).toBe(stats.pendingUsers.length)
    expect(stats.approvedUserCount).toBe(stats.approvedUsers.length)
    expect(stats.deniedUserCount).toBe(stats.deniedUsers.length)
    expect(stats.pendingUsers.find(({ id }) => id === waiting)).toMatchObject({ reviewed_at: null })
    const turnedAway = stats.deniedUsers.filter(({ id }) => id === denied || id === revoked)
    // The latest decision is first.
    expect(turnedAway.map(({ id }) => id)).toEqual([revoked, denied])
    for (const { requested_at, reviewed_at } of turnedAway) {
      expect(Date.parse(reviewed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(requested_at))
    }
  })

  test('every decision leaves a line that says who, what, when and what was there', async () => {
    const ada = await library().admin()
    const id = await somebody(library(), 'pending')
    const before = library().now()
    await ada.call(approvePerson, { params: { id } })
    await ada.call(revokePerson, { params: { id } })
    await expect(ada.call(revokePerson, { params: { id } })).rejects.toMatchObject(conflict)
    const lines = await library().rows(
      `select * from audit_log where subject_type = 'person' and subject_id = ${id} and action like 'person.%' order by id`,
    )
    expect(lines.map(line => [Number(line.actor_id), line.action, line.before])).toEqual([
      [await library().idOf('ada'), 'person.approve', '{"status":"pending"}'],
      [await library().idOf('ada'), 'person.revoke', '{"status":"approved"}'],
    ])
    expect(Number(lines[0]?.created_at)).toBeGreaterThanOrEqual(before)
  })

  test('an unknown id is not found, and a malformed one is refused', async () => {
    const ada = await library().admin()
    for (const decision of decisions) {
      await expect(ada.call(decision, { params: { id: 999_999_999 } })).rejects.toMatchObject({ status: 404 })
      for (const id of ['abc', '-1', '0', '1.5', '1e400', '99999999999999999999', '%00', '1;drop table people']) {
        const response = await ada.fetch(decision.path.replace(':id', encodeURIComponent(id)), { method: 'POST' })
        expect([id, response.status]).toEqual([id, 400])
        expect(await response.json()).toMatchObject({ code: 'malformed' })
      }
    }
  })

  test('two admins approving and denying at once end in one state, and one of them gets a conflict', async () => {
    const ada = await library().admin()
    for (let round = 0; round < 5; round++) {
      const id = await somebody(library(), 'pending')
      const outcomes = await Promise.allSettled([
        ada.call(approvePerson, { params: { id } }),
        ada.call(denyPerson, { params: { id } }),
      ])
      const refused = outcomes.filter(outcome => outcome.status === 'rejected')
      expect(refused.map(({ reason }) => reason)).toMatchObject([conflict])
      const { status } = await personRow(library(), id)
      expect(status).toBe(outcomes[0].status === 'fulfilled' ? 'approved' : 'denied')
    }
  })
})

describe.each(engines)('the last admin (%s)', engine => {
  test('cannot be revoked, and stays signed in', async () => {
    const library = await startLibrary({ engine })
    onTestFinished(library.close)
    const ada = await library.signInAs('ada')
    const id = await library.idOf('ada')
    await expect(ada.call(revokePerson, { params: { id } })).rejects.toMatchObject(conflict)
    expect(await ada.call(whoAmI)).toMatchObject({ id, role: 'admin' })
  })

  test('is left over when two admins revoke each other at once', async () => {
    const library = await startLibrary({
      engine,
      environment: { ADMIN_EMAILS: 'ada@okafor.example,ben@okafor.example' },
    })
    onTestFinished(library.close)
    for (let round = 0; round < 5; round++) {
      const [ada, ben] = [await library.signInAs('ada'), await library.signInAs('ben')]
      const [adasId, bensId] = [await library.idOf('ada'), await library.idOf('ben')]
      await Promise.allSettled([
        ada.call(revokePerson, { params: { id: bensId } }),
        ben.call(revokePerson, { params: { id: adasId } }),
      ])
      const admins = await library.rows(`select id from people where role = 'admin' and status = 'approved'`)
      expect(admins).toHaveLength(1)
      const [survivor, fallen] = Number(admins[0]?.id) === adasId ? [ada, bensId] : [ben, adasId]
      await survivor.call(reapprovePerson, { params: { id: fallen } })
    }
  })
})

/** A new person who reached this status through the API. */
async function somebody(library: Library, status: PersonStatus): Promise<number> {
  const person = library.newPerson()
  await library.signIn(person)
  const id = await library.idOf(person)
  const ada = await library.admin()
  for (const decision of ways[status]) await ada.call(decision, { params: { id } })
  return id
}

async function personRow(library: Library, id: number) {
  const [row] = await library.rows(`select * from people where id = ${id}`)
  return { ...row, reviewed_by: row?.reviewed_by === null ? null : Number(row?.reviewed_by), status: row?.status }
}
