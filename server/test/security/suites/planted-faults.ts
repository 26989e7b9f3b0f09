import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { IdInPath } from '#contract/common.ts'
import { type Endpoint, endpoint } from '#contract/endpoint.ts'
import { AppError } from '#server/kit/errors.ts'
import { serve } from '#server/kit/serve.ts'
import { attacksOn, encode, someOf, spellingAttacks, validInput } from '../attacks.ts'
import { type Attack, attackAll, reportOf, speaksValidator, type Verdict } from '../judge.ts'
import { type Caller, openTarget, type Target } from '../target.ts'

const answer = z.object({ text: z.string() })
const Named = z.object({ name: z.string() })
const see = { summary: 'Planted', act: 'media.see', answer } as const

const planted = {
  healthy: endpoint({ ...see, method: 'GET', path: '/api/planted/healthy/media/:id', params: IdInPath }),
  anothersMessage: endpoint({ ...see, method: 'GET', path: '/api/planted/messages/:id', params: IdInPath }),
  anothersNotification: endpoint({ ...see, method: 'POST', path: '/api/planted/notifications/:id', params: IdInPath }),
  ownersName: endpoint({
    ...see,
    method: 'POST',
    path: '/api/planted/people',
    body: z.looseObject({ name: z.string() }),
  }),
  crash: endpoint({ ...see, method: 'POST', path: '/api/planted/crash', body: z.object({ length: z.number() }) }),
  folderInError: endpoint({ ...see, method: 'POST', path: '/api/planted/error', body: Named }),
  changingRead: endpoint({ ...see, method: 'GET', path: '/api/planted/read', query: Named.partial() }),
  changeBeforeCheck: endpoint({
    ...see,
    method: 'POST',
    path: '/api/planted/late',
    body: z.object({ name: z.string() }),
  }),
  redirect: endpoint({
    ...see,
    method: 'GET',
    path: '/api/planted/redirect',
    query: z.object({ to: z.string().optional() }),
  }),
  looseId: endpoint({
    ...see,
    method: 'GET',
    path: '/api/planted/loose/media/:id',
    params: z.object({ id: z.coerce.number() }),
  }),
  readByTraversal: endpoint({ ...see, method: 'POST', path: '/api/planted/read-file', body: Named }),
  traversal: endpoint({ ...see, method: 'POST', path: '/api/planted/traversal', body: Named }),
} satisfies Record<string, Endpoint>
const unguardedPath = '/auth/planted/media/:id'

function plantFaults(app: FastifyInstance, target: () => Target): void {
  const done = { text: 'done' }
  const rows = (query: string) => target().library.rows(query)
  const folder = () => target().library.config.dataFolder
  serve(app, planted.healthy, async () => done)
  serve(app, planted.looseId, async () => done)
  serve(app, planted.anothersMessage, async ({ params }) => {
    const [message] = await rows(`select content from messages where id = ${params.id}`)
    if (!message) throw new AppError('not_found', 'chat.missing')
    return { text: String(message.content) }
  })
  serve(app, planted.anothersNotification, async ({ params }) => {
    await rows(`update notifications set read_at = 1 where id = ${params.id}`)
    return done
  })
  serve(app, planted.ownersName, async ({ body }) => {
    if (typeof body.id === 'number') await rows(`update people set role = 'member' where id = ${body.id}`)
    return done
  })
  serve(app, planted.crash, async ({ body }) => ({ text: String(new Array(body.length).length) }))
  serve(app, planted.folderInError, async ({ body }) => {
    throw new AppError('not_found', 'upload.bytesMissing', { name: join(folder(), body.name) })
  })
  serve(app, planted.changingRead, async () => {
    await rows(`update folders set name = name || 'x'`)
    return done
  })
  serve(app, planted.changeBeforeCheck, async () => {
    await rows(`update folders set name = name || 'x'`)
    throw new AppError('conflict', 'files.movedSince')
  })
  serve(app, planted.redirect, async ({ query, reply }) => {
    await reply.redirect(query.to ?? '/')
    return done
  })
  serve(app, planted.traversal, async ({ body }) => {
    await rm(join(folder(), 'uploads', body.name)).catch(() => undefined)
    return done
  })
  serve(app, planted.readByTraversal, async ({ body }) => {
    const text = await readFile(join(folder(), 'uploads', body.name), 'utf8').catch(() => 'none')
    return { text }
  })
  app.get(unguardedPath, async () => done)
}

/** Endpoints with deliberate faults: the suites must find each of them. */
export function findPlantedFaults(): void {
  let target: Target
  beforeAll(async () => {
    target = await openTarget('sqlite', app => plantFaults(app, () => target))
  })
  afterAll(() => target?.close())

  async function verdictsOn(attacked: Endpoint, caller: Caller = 'member', attacks?: Attack[]): Promise<Verdict[]> {
    const every = attacks ?? attacksOn(attacked, validInput(attacked, target), target.anothersIds)
    const chosen = every.filter(({ isAccepted }, i) => isAccepted || i % 8 === 0)
    return attackAll(target, caller, attacks ?? chosen, { allowed: true })
  }

  test('an endpoint without a fault has none found', async () => {
    const verdicts = await verdictsOn(planted.healthy)
    expect(reportOf(verdicts)).toEqual([])
    expect(verdicts.filter(speaksValidator)).toEqual([])
  })

  test.each<[fault: string, endpoint: keyof typeof planted, found: RegExp]>([
    ['that reads what belongs to another', 'anothersMessage', /gives away secret/],
    ['that changes what belongs to another', 'anothersNotification', /changed what is protected/],
    ['that writes every field it is sent', 'ownersName', /changed what is protected/],
    ['that crashes', 'crash', /answered 500/],
    ['that names folders of the server', 'folderInError', /names the folder/],
    ['that changes something when it is read', 'changingRead', /answered 200 and changed table folders/],
    ['that changes something and then refuses', 'changeBeforeCheck', /answered 409 and changed table folders/],
    ['that reads any file of the machine', 'readByTraversal', /gives away canary/],
    ['that redirects anywhere', 'redirect', /redirects to .*evil\.example/],
  ])('an endpoint %s is reported', async (_, name, found) => {
    const report = reportOf(await verdictsOn(planted[name]))
    expect(report.join('\n')).toMatch(found)
    await target.library.rows('update notifications set read_at = null')
    await target.library.rows(`update people set role = 'admin' where id = 1`)
  })

  test('an endpoint that takes an id in any spelling is reported', async () => {
    const valid = validInput(planted.looseId, target)
    const verdicts = await verdictsOn(planted.looseId, 'member', spellingAttacks(planted.looseId, valid))
    expect(verdicts.filter(({ answer }) => answer.status === 200).length).toBeGreaterThan(5)
  })

  test('a route that asks for no session is reported', async () => {
    const unguarded = { ...planted.healthy, path: unguardedPath }
    const attacks = someOf(attacksOn(unguarded, validInput(unguarded, target), target.anothersIds), 200)
    const verdicts = await attackAll(target, 'nobody', attacks, { allowed: false })
    expect(reportOf(verdicts).join('\n')).toMatch(/by nobody: let in with 200/)
    expect(target.routes).toContain(`GET ${unguardedPath}`)
  })

  test('a sentence of the validation library is reported', () => {
    const attack = encode(planted.crash, { params: {}, query: {}, body: { length: 'x' } }, 'text')
    const text = JSON.stringify({ error: 'Invalid input: expected number, received string', code: 'malformed' })
    expect(
      speaksValidator({ attack, caller: 'member', faults: [], answer: { status: 400, headers: {}, text, ms: 1 } }),
    ).toBe(true)
  })

  // Last, since it deletes the database.
  test('an endpoint that makes a path of what it is sent is reported', async () => {
    const report = reportOf(await verdictsOn(planted.traversal))
    expect(report.join('\n')).toMatch(/"missing":\["heirloom\.db"\]/)
  })
}
