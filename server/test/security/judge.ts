import { maxHeaderSize } from 'node:http'
import { fileURLToPath } from 'node:url'
import { emergencySheet } from '#contract/admin.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { can } from '#contract/rights.ts'
import { differences } from './change-detector.ts'
import { inBrief } from './hostile-values.ts'
import type { RawAnswer, RawRequest } from './raw-client.ts'
import { type Caller, insiders, outsiders, type Target } from './target.ts'

/** One request of an attack. */
export interface Attack extends RawRequest {
  /** What is hostile about it. */
  name: string
  /** Whether the endpoint's schemas accept it; unknown if there are none. */
  isAccepted?: boolean
}

export interface Verdict {
  attack: Attack
  caller: Caller
  answer: RawAnswer
  /** Empty if the response was correct. */
  faults: string[]
}

/** The parts of the target that a verdict needs. */
export type Attacked = Pick<Target, 'library' | 'changeDetector' | 'secrets' | 'guarded' | 'guardedBefore' | 'send'>

const SLOWEST_MS = 2_000
const MOST_BLAMED = 5

const project = fileURLToPath(new URL('../../..', import.meta.url))

/** Texts that belong into a log and never into a response. */
const internals =
  /\bat .+:\d+:\d+|node_modules|node:internal|\b(?:Type|Range|Reference|Syntax)Error\b|SQLITE_|ENOENT|EACCES|\b(?:select|insert|update|delete)\b.+\b(?:from|into|set|where)\b|syntax error|violates|constraint|no such (?:table|column)/i

/** Typical messages of the validation library, which people cannot understand. */
const validatorWords =
  /\bexpected\b|\breceived\b|invalid input|invalid option|invalid string|unrecognized|too (?:big|small)/i

/** `any shape` is for responses of libraries that are sent unchanged: tus has its own protocol. */
export type Expects = 'error shape' | 'any shape'

export function mayCall(endpoint: Pick<Endpoint, 'act'>, caller: Caller): boolean {
  if (endpoint.act === 'anyone') return true
  const role = insiders.find(insider => insider === caller)
  return role !== undefined && can(role, endpoint.act)
}

function isOutsider(caller: Caller): boolean {
  return (outsiders as readonly Caller[]).includes(caller)
}

/** Sends an attack and checks the response, but not the state of the library. */
export async function attempt(
  target: Attacked,
  caller: Caller,
  attack: Attack,
  { allowed, expects = 'error shape' }: { allowed: boolean; expects?: Expects },
): Promise<Verdict> {
  let answer = await target.send(caller, attack)
  // Retries slow responses, because a busy machine delays some; code that is slow is slow three times.
  for (let again = 0; answer.ms > SLOWEST_MS && again < 2; again++) answer = await target.send(caller, attack)
  const faults = [
    ...(answer.status >= 500 ? [`answered ${answer.status}`] : []),
    ...(answer.ms > SLOWEST_MS ? [`took ${Math.round(answer.ms)} ms`] : []),
    ...(answer.status >= 400 && expects === 'error shape' ? shapeFaults(attack, answer) : []),
    ...leaks(target, caller, attack, answer),
    ...foreignRedirects(target, answer),
    ...(allowed ? [] : faultsOfRefusal(attack, caller, answer)),
  ]
  return { attack, caller, answer, faults }
}

/** Whether the message is one of the validation library's. */
export function speaksValidator({ answer }: Verdict): boolean {
  // Without the names of fields, one of which is “expected”.
  const sentence = (sentenceOf(answer) ?? '').replaceAll(/field \S+/g, 'field')
  return answer.status >= 400 && validatorWords.test(sentence)
}

export function sentenceOf({ text }: RawAnswer): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    return typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

function shapeFaults({ method }: Attack, answer: RawAnswer): string[] {
  if (method === 'HEAD') return []
  try {
    const { error, code, key, values = {}, ...rest } = JSON.parse(answer.text) as Record<string, unknown>
    const isSentence = typeof error === 'string' && /\p{L}.*\s.*\p{L}/su.test(error)
    const isNamed = typeof key === 'string' && /^[a-z]+(\.[a-zA-Z]+)+$/.test(key) && typeof values === 'object'
    const isCoded = typeof code === 'string' && /^[a-z_]+$/.test(code)
    if (isSentence && isNamed && isCoded && Object.keys(rest).length === 0) return []
  } catch {
    // Not JSON, which is reported below.
  }
  return [`answered ${answer.status} in another shape: ${inBrief(answer.text)}`]
}

function leaks(target: Attacked, caller: Caller, { path }: Attack, { status, text }: RawAnswer): string[] {
  const { dataFolder } = target.library.config
  // It is for saying where everything is.
  const saysPlaces = status === 200 && path.split('?')[0] === emergencySheet.path
  const places = saysPlaces ? [] : [dataFolder, project].filter(place => text.includes(place))
  const secrets = target.secrets.filter(secret => !secret.mayBeSeenBy.includes(caller) && text.includes(secret.text))
  const leaked = status >= 400 ? internals.exec(text)?.[0] : undefined
  return [
    ...places.map(place => `names the folder ${place}`),
    ...secrets.map(({ text: secret }) => `gives away ${secret}`),
    ...(leaked === undefined ? [] : [`tells internals: ${inBrief(leaked)}`]),
  ]
}

/** The library, its provider and its storage are all local, so other redirects are faults. */
function foreignRedirects({ library }: Attacked, { headers }: RawAnswer): string[] {
  if (headers.location === undefined) return []
  const { hostname = 'nowhere' } = URL.parse(String(headers.location), library.url.href) ?? {}
  return hostname === '127.0.0.1' || hostname === 'localhost' ? [] : [`redirects to ${inBrief(headers.location)}`]
}

function faultsOfRefusal({ path }: Attack, caller: Caller, answer: RawAnswer): string[] {
  if (answer.status < 400) return [`let in with ${answer.status}`]
  if (!isOutsider(caller) || answer.status === 401) return []
  // Node rejects it before there is a request.
  if (answer.status === 431 && path.length > maxHeaderSize) return []
  return [`answered ${answer.status} to somebody who is not signed in`]
}

/** Sends many attacks and checks that rejected ones and GETs changed nothing, nor any the data of others. */
export async function attackAll(
  target: Attacked,
  caller: Caller,
  attacks: readonly Attack[],
  options: {
    allowed: boolean
    expects?: Expects /** Parts of the state that may change. */
    ignores?: readonly string[]
  },
): Promise<Verdict[]> {
  const { ignores = [] } = options
  const before = await target.changeDetector.state()
  const verdicts = await inParallel(attacks, attack => attempt(target, caller, attack, options))
  const changing = verdicts.filter(changesByRight)
  let refused = verdicts.filter(verdict => !changesByRight(verdict))
  let baseline = before
  // If some legitimately changed something, the rejected ones are sent again separately. One that succeeds now was in
  // conflict with another; then the rest is sent once more.
  for (let isMixed = changing.length > 0; isMixed; ) {
    baseline = await target.changeDetector.state()
    const again = await inParallel(refused, async verdict => ({
      ...verdict,
      answer: await target.send(caller, verdict.attack),
    }))
    const stillRefused = refused.filter((_, i) => !changesByRight(again[i] as Verdict))
    isMixed = stillRefused.length < refused.length
    refused = stillRefused
  }
  const changed = differences(baseline, await target.changeDetector.state(), ignores)
  if (changed.length > 0) await blame(target, refused, changed)
  const damage = await target.changeDetector.damageTo(target.guarded, target.guardedBefore)
  if (damage) verdicts.at(-1)?.faults.push(`one of these attacks ${damage}`)
  return verdicts
}

function changesByRight({ attack, answer }: Verdict): boolean {
  return answer.status < 400 && attack.method !== 'GET' && attack.method !== 'HEAD'
}

/** Sends them one by one to find those that change something. */
async function blame(target: Attacked, refused: readonly Verdict[], changed: readonly string[]): Promise<void> {
  let found = 0
  for (const { attack, caller, answer, faults } of refused) {
    // Enough for a report; each costs two snapshots of the state.
    if (found === MOST_BLAMED) return
    const before = await target.changeDetector.state()
    await target.send(caller, attack)
    const mine = differences(before, await target.changeDetector.state())
    if (mine.length > 0) faults.push(`answered ${answer.status} and changed ${mine.join('; ')}`)
    if (mine.length > 0) found++
  }
  if (found === 0) refused.at(-1)?.faults.push(`one of these attacks changed ${changed.join('; ')}`)
}

export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>, atOnce = 6): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index] as T)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

/** The faults as text: what was sent by whom, and the response. */
export function reportOf(verdicts: readonly Verdict[]): string[] {
  return verdicts
    .filter(({ faults }) => faults.length > 0)
    .map(({ attack, caller, faults }) => `${described(attack)} by ${caller}: ${faults.join('; ')}`)
}

export function described({ name, method, path, headers, body }: Attack): string {
  const head = headers === undefined ? '' : ` ${inBrief(headers)}`
  const content = body === undefined ? '' : ` ${inBrief(typeof body === 'string' ? body : `${body.length} bytes`)}`
  return `${method} ${path.length > 300 ? `${path.slice(0, 200)}…` : path}${head}${content} [${name}]`
}
