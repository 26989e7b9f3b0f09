import { afterAll, expect, test } from 'vitest'
import { logOut } from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endAllSessions } from '#contract/sessions.ts'
import type { Engine } from '../../library.ts'
import { encode, type Input, validInput, validQueries } from '../attacks.ts'
import { differences } from '../change-detector.ts'
import { contractEndpoints, routeOf } from '../contract-endpoints.ts'
import { encodePart, hostileJson, hostileTexts, inBrief, rawPathSegments } from '../hostile-values.ts'
import { attempt, described, inParallel, mayCall, type Verdict } from '../judge.ts'
import { fieldsOf, isNothing, type Path, replaced } from '../schema-inputs.ts'
import { type Caller, insiders, outsiders, type Target } from '../target.ts'

/** Random by default; a failure prints its seed, which reproduces the run. */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const rounds = Number(process.env.FUZZ_ROUNDS ?? (process.env.LONG ? 5_000 : 60))

const endpoints = await contractEndpoints()

interface Mutation {
  name: string
  apply(input: Input): Input
}

interface Round {
  endpoint: Endpoint
  caller: Caller
  valid: Input
  mutations: Mutation[]
}

/** Must run first: a seed reproduces a failure only from the same initial state. */
export function fuzz(opened: () => Target, engine: Engine): void {
  // It deletes some of the data that other suites attack.
  afterAll(() => opened().plantAgain())

  test('random input from the schemas breaks nothing', { timeout: 60_000 + rounds * 100 }, async () => {
    const target = opened()
    const random = createRandom(seed)
    for (let number = 0; number < rounds; number++) {
      // Sometimes a concurrent burst: its changes cannot be attributed, but the data of others must stay unchanged.
      const isBurst = number % 20 === 19
      const batch = Array.from({ length: isBurst ? 8 : 1 }, () => randomRound(random, target))
      const faults = isBurst ? await faultsOfBurst(target, batch) : await faultsOf(target, batch[0] as Round)
      if (faults.length === 0) continue
      const failing = isBurst ? batch : [await smallest(target, batch[0] as Round)]
      const requests = failing.map(round => `${described(attackOf(round))} by ${round.caller}`)
      expect.fail(
        `FUZZ_SEED=${seed} FUZZ_ROUNDS=${number + 1} on ${engine}:\n${requests.join('\n')}\n${faults.join('\n')}`,
      )
    }
  })
}

async function faultsOf(target: Target, round: Round): Promise<string[]> {
  const before = await target.changeDetector.state()
  const verdict = await run(target, round)
  const { attack, answer, faults } = verdict
  const mayChange = answer.status < 400 && attack.method !== 'GET'
  const changed = mayChange ? [] : differences(before, await target.changeDetector.state())
  await tidyUp(target, round)
  return [
    ...faults,
    ...changed.map(change => `answered ${answer.status} and changed ${change}`),
    ...(await damage(target)),
  ]
}

async function faultsOfBurst(target: Target, batch: readonly Round[]): Promise<string[]> {
  const verdicts = await inParallel(batch, round => run(target, round), batch.length)
  await target.repair()
  // Verdicts only: sessions may end and people lose access during the burst, so its changes are not compared.
  const faults = verdicts.flatMap(verdict => verdict.faults)
  return [...faults, ...(await damage(target))]
}

async function damage({ changeDetector, guarded, guardedBefore }: Target): Promise<string[]> {
  const found = await changeDetector.damageTo(guarded, guardedBefore)
  return found === undefined ? [] : [found]
}

function run(target: Target, round: Round): Promise<Verdict> {
  return attempt(target, round.caller, attackOf(round), { allowed: mayCall(round.endpoint, round.caller) })
}

async function tidyUp(target: Target, { endpoint, caller }: Round): Promise<void> {
  const endsSessions = endpoint.act === 'people.review' || [logOut.path, endAllSessions.path].includes(endpoint.path)
  if (endsSessions && (insiders as readonly Caller[]).includes(caller)) await target.repair()
}

/** Shrinks a failing request to the fewest changes that still fail. */
async function smallest(target: Target, round: Round): Promise<Round> {
  let least = round
  for (const mutation of round.mutations) {
    const fewer = { ...least, mutations: least.mutations.filter(other => other !== mutation) }
    if ((await faultsOf(target, fewer)).length > 0) least = fewer
  }
  return least
}

function attackOf({ endpoint, valid, mutations }: Round) {
  const input = mutations.reduce((made, mutation) => mutation.apply(made), valid)
  return encode(endpoint, input, mutations.map(({ name }) => name).join(', ') || `valid ${routeOf(endpoint)}`)
}

function randomRound(random: Random, target: Target): Round {
  const endpoint = random.pick(endpoints)
  const callers: readonly Caller[] = random.chance(0.2) ? outsiders : insiders
  const choices = { idsFor: target.idsFor, cursor: target.cursor, shuffle: random.shuffle }
  const input = validInput(endpoint, choices)
  const [query = input.query] = random.chance(0.5) ? random.shuffle(validQueries(endpoint, choices)) : []
  const valid = { ...input, query }
  const count = random.pick([0, 1, 1, 2, 3])
  const mutations = Array.from({ length: count }, () => randomMutation(random, endpoint, target.anothersIds))
  return { endpoint, caller: random.pick(callers), valid, mutations: mutations.filter(one => one !== undefined) }
}

function randomMutation(random: Random, endpoint: Endpoint, anothersIds: readonly number[]): Mutation | undefined {
  const params = Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  const bodyFields = isNothing(endpoint.body) ? [] : fieldsOf(endpoint.body)
  const queryFields = isNothing(endpoint.query) ? [] : fieldsOf(endpoint.query).filter(({ length }) => length === 1)
  const kinds = [
    ...params.map(name => () => inPath(name, random.pick(pathValues(random, anothersIds)))),
    ...queryFields.map(
      ([name]) =>
        () =>
          inQuery(String(name), random.pick([...hostileTexts, randomText(random)])),
    ),
    ...bodyFields.map(path => () => inBody(path, random.pick([...hostileJson, ...anothersIds, randomText(random)]))),
  ]
  return kinds.length === 0 ? undefined : random.pick(kinds)()
}

function pathValues(random: Random, anothersIds: readonly number[]): string[] {
  const texts = [...hostileTexts, randomText(random)].map(encodePart)
  return [...rawPathSegments, ...texts, ...anothersIds.map(String), String(random.below(50))]
}

function inPath(name: string, value: string): Mutation {
  return {
    name: `:${name} = ${inBrief(value)}`,
    apply: input => ({ ...input, params: { ...input.params, [name]: value } }),
  }
}

function inQuery(name: string, value: string): Mutation {
  return {
    name: `?${name} = ${inBrief(value)}`,
    apply: input => ({ ...input, query: { ...input.query, [name]: value } }),
  }
}

function inBody(path: Path, value: unknown): Mutation {
  const name = `body${path.map(step => `.${step}`).join('')} = ${inBrief(value)}`
  return { name, apply: input => ({ ...input, body: replaced(input.body, path, value) }) }
}

function randomText(random: Random): string {
  const ranges = [0x80, 0x800, 0x10000, 0x110000]
  return Array.from({ length: random.below(60) }, () => String.fromCodePoint(random.below(random.pick(ranges)))).join(
    '',
  )
}

interface Random {
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly T[]): T
  shuffle<T>(values: readonly T[]): readonly T[]
}

/** mulberry32: small, and the same on every machine. */
function createRandom(start: number): Random {
  let state = start
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: probability => next() < probability,
    pick: values => values[below(values.length)] as (typeof values)[number],
    shuffle: values =>
      values
        .map(value => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
  }
}
