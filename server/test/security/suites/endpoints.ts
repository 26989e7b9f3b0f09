import { beforeAll, describe, expect, test } from 'vitest'
import { logOut } from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { DAY } from '#contract/limits.ts'
import { endAllSessions } from '#contract/sessions.ts'
import { type Engine, engines } from '../../library.ts'
import { attacksOn, encode, someOf, spellingAttacks, validInput, validQueries } from '../attacks.ts'
import { contractEndpoints, routeOf } from '../contract-endpoints.ts'
import {
  type Attack,
  attackAll,
  inParallel,
  mayCall,
  reportOf,
  sentenceOf,
  speaksValidator,
  type Verdict,
} from '../judge.ts'
import { type Caller, insiders, outsiders, type Target } from '../target.ts'

const long = Boolean(process.env.LONG)

const endpoints = await contractEndpoints()
const today = Math.floor(Date.now() / DAY)

/** Every endpoint of the contract, with hostile values in each field of its input, as every kind of caller. */
export function attackEndpoints(opened: () => Target, engine: Engine): void {
  let target: Target
  let attacks: ReadonlyMap<Endpoint, Attack[]>
  beforeAll(() => {
    target = opened()
    // Generated once, because that costs more than sending some of them.
    attacks = new Map(endpoints.map(endpoint => [endpoint, everyAttackOn(endpoint, target)]))
  })

  test('the attacks start from requests that succeed', async () => {
    const reads = endpoints.filter(({ method, act }) => method === 'GET' && act !== 'anyone')
    const requests = reads.flatMap(endpoint => {
      const valid = validInput(endpoint, target)
      return [valid.query, ...validQueries(endpoint, target)].map(query =>
        encode(endpoint, { ...valid, query }, 'valid'),
      )
    })
    const refused = await inParallel(requests, async request => {
      const { status } = await target.send('admin', request)
      // A file that a filter does not match has no position.
      const isExpected =
        status === 200 ||
        (status === 404 &&
          /\/position\?(place|area|bounds|memory|camera|year|date|uploader|tag|hearted_by|added)=/.test(request.path))
      return isExpected ? [] : [`${request.path} answered ${status}`]
    })
    expect(refused.flat()).toEqual([])
  })

  // No such id reaches the database, so one engine is enough.
  test.runIf(engine === engines[0])('an id has one spelling', async () => {
    const spellings = endpoints.flatMap(endpoint =>
      spellingAttacks(endpoint, validInput(endpoint, target), long ? undefined : 8),
    )
    expect(spellings.length).toBeGreaterThan(200)
    const verdicts = await attackAll(target, 'admin', spellings, { allowed: true })
    for (const { answer, faults } of verdicts) if (answer.status !== 400) faults.push(`answered ${answer.status}`)
    expect(reportOf(verdicts)).toEqual([])
  })

  test.each(outsiders)('%s gets nothing and changes nothing, whatever is sent', async caller => {
    const guarded = endpoints.filter(endpoint => !mayCall(endpoint, caller))
    const sent = guarded.flatMap(endpoint => [
      encode(endpoint, validInput(endpoint, target), 'valid'),
      ...someOf(attacks.get(endpoint) ?? [], long ? 8 : 2),
    ])
    expect(reportOf(await attackAll(target, caller, sent, { allowed: false }))).toEqual([])
  })

  // These would end the attacker's session; they have no other input.
  const ending = [logOut.path, endAllSessions.path]
  describe.each(endpoints.filter(({ path }) => !ending.includes(path)).map(named))('$route', ({ endpoint }) => {
    let verdicts: Verdict[]
    beforeAll(async () => {
      verdicts = []
      for (const caller of callersOf(endpoint)) verdicts.push(...(await attack(endpoint, caller)))
    })

    test('withstands hostile values in every field', () => {
      expect(verdicts.length).toBeGreaterThan(long ? 10 : 0)
      expect(reportOf(verdicts)).toEqual([])
    })

    test('says what is wrong in words that a person understands', () => {
      expect([...new Set(verdicts.filter(speaksValidator).map(({ answer }) => sentenceOf(answer)))]).toEqual([])
    })
  })

  async function attack(endpoint: Endpoint, caller: Caller): Promise<Verdict[]> {
    const chosen = attacks.get(endpoint)?.filter((attack, i) => isWorthIt(attack, i, endpoint, caller)) ?? []
    const verdicts = await attackAll(target, caller, chosen, { allowed: mayCall(endpoint, caller) })
    if (endpoint.act === 'people.review') await target.repair()
    return verdicts
  }

  /**
   * Rejected input reaches neither the database nor the permission checks. Outside the long run a sample suffices, a
   * different one for each endpoint and day, and a smaller one for the second engine and caller. A report names the
   * request, so that another day does not hide it.
   */
  function isWorthIt(attack: Attack, i: number, endpoint: Endpoint, caller: Caller): boolean {
    if (long) return true
    const isFirst = engine === engines[0] && caller === callersOf(endpoint)[0]
    const [accepted, rejected] = isFirst ? [4, 32] : [8, 64]
    const isEvery = (step: number) => (i + endpoints.indexOf(endpoint) + today) % step === 0
    // Asked last: checking the schemas costs more than sending the request.
    return i === 0 || isEvery(rejected) || (isEvery(accepted) && attack.isAccepted === true)
  }
}

function everyAttackOn(endpoint: Endpoint, target: Target): Attack[] {
  return attacksOn(endpoint, validInput(endpoint, target), target.anothersIds)
}

function named(endpoint: Endpoint) {
  return { route: routeOf(endpoint), endpoint }
}

/**
 * Roles differ only if the endpoint's permission does, so one of those who may call it is enough. Personal data is hidden
 * from admins too, and viewers may change only their own notes, so these are tried in addition.
 */
function callersOf(endpoint: Endpoint): Caller[] {
  if (endpoint.act === 'anyone') return ['nobody']
  if (endpoint.act === 'chat.use' || endpoint.act === 'notifications.use') return ['member', 'admin']
  if (endpoint.act === 'notes.write') return ['member', 'viewer']
  const mayNot = insiders.filter(caller => !mayCall(endpoint, caller))
  return [mayNot.includes('member') ? 'admin' : 'member', ...mayNot]
}
