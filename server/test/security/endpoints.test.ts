import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { logOut } from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints as listed } from '#contract/index.ts'
import { engines } from '../library.ts'
import { attacksOn, encode, someAttacksOn, validInput } from './attacks.ts'
import { contractEndpoints, routeOf } from './contract-endpoints.ts'
import {
  type Attack,
  attackAll,
  inParallel,
  mayCall,
  reportOf,
  sentenceOf,
  speaksValidator,
  type Verdict,
} from './judge.ts'
import { type Caller, insiders, openTarget, outsiders, type Target } from './target.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const long = Boolean(process.env.LONG)

const endpoints = await contractEndpoints()

test('the index of the contract lists every endpoint that its files export', () => {
  expect(endpoints.length).toBeGreaterThan(50)
  expect(listed.map(routeOf).toSorted()).toEqual(endpoints.map(routeOf).toSorted())
})

describe.each(engines)('hostile input (%s)', engine => {
  let target: Target
  beforeAll(async () => {
    target = await openTarget(engine)
  })
  afterAll(() => target?.close())

  test('the attacks start from requests that succeed', async () => {
    const reads = endpoints.filter(({ method, act }) => method === 'GET' && act !== 'anyone')
    const refused = await inParallel(reads, async endpoint => {
      const { status } = await target.send('admin', encode(endpoint, validInput(endpoint, target), 'valid'))
      return status === 200 ? [] : [`${routeOf(endpoint)} answered ${status}`]
    })
    expect(refused.flat()).toEqual([])
  })

  test.each(outsiders)('%s gets nothing and changes nothing, whatever is sent', async caller => {
    const guarded = endpoints.filter(endpoint => !mayCall(endpoint, caller))
    const attacks = guarded.flatMap(endpoint =>
      someAttacksOn(endpoint, validInput(endpoint, target), target.anothersIds),
    )
    expect(reportOf(await attackAll(target, caller, attacks, { allowed: false }))).toEqual([])
  })

  // Ending the session that attacks would end the attack; it has no input but its session.
  describe.each(endpoints.filter(endpoint => endpoint.path !== logOut.path).map(named))('$route', ({ endpoint }) => {
    let verdicts: Verdict[]
    beforeAll(async () => {
      verdicts = []
      for (const caller of callersOf(endpoint)) verdicts.push(...(await attack(endpoint, caller)))
    })

    test('withstands hostile values in every field', () => {
      expect(verdicts.length).toBeGreaterThan(10)
      expect(reportOf(verdicts)).toEqual([])
    })

    test('says what is wrong in words that a person understands', () => {
      expect([...new Set(verdicts.filter(speaksValidator).map(({ answer }) => sentenceOf(answer)))]).toEqual([])
    })
  })

  async function attack(endpoint: Endpoint, caller: Caller): Promise<Verdict[]> {
    const every = attacksOn(endpoint, validInput(endpoint, target), target.anothersIds)
    const attacks = every.filter((attack, i) => isWorthIt(attack, i, caller))
    const verdicts = await attackAll(target, caller, attacks, { allowed: mayCall(endpoint, caller) })
    if (endpoint.act === 'people.review') await target.repair()
    return verdicts
  }

  /**
   * What the schemas refuse never reaches the database nor the rights of the second caller: outside the long run a tenth of
   * it is enough there.
   */
  function isWorthIt({ isAccepted }: Attack, i: number, caller: Caller): boolean {
    return long || isAccepted === true || (engine === engines[0] && caller !== 'admin') || i % 10 === 0
  }
})

function named(endpoint: Endpoint) {
  return { route: routeOf(endpoint), endpoint }
}

/** Rights differ between members and admins only where an endpoint says so; what is one person's is no admin's either. */
function callersOf(endpoint: Endpoint): Caller[] {
  if (endpoint.act === 'anyone') return ['nobody']
  const may = insiders.filter(caller => mayCall(endpoint, caller))
  const personal = endpoint.act === 'chat.use' || endpoint.act === 'notifications.use'
  return may.length === insiders.length && !personal ? ['member'] : [...insiders]
}
