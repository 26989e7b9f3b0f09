import { beforeAll, describe, expect, test } from 'vitest'
import { isWebFile } from '../../access-table.ts'
import { type Engine, engines } from '../../library.ts'
import { contractEndpoints, routeOf } from '../contract-endpoints.ts'
import { canary } from '../hostile-values.ts'
import { type Attack, attackAll, inParallel, mayCall, reportOf } from '../judge.ts'
import { otherRoutes, paths, queries } from '../other-routes.ts'
import { type Caller, metricsToken, type Target } from '../target.ts'

const endpoints = await contractEndpoints()

/** The routes outside the contract, each with its own attacks. */
export function attackOtherRoutes(opened: () => Target, engine: Engine): void {
  let target: Target
  beforeAll(() => {
    target = opened()
  })

  test('each of them has attacks of its own', () => {
    const attacked = [...endpoints.map(routeOf), ...otherRoutes.map(({ route }) => route)]
    expect(target.routes.filter(route => !attacked.includes(route) && !isWebFile(route))).toEqual([])
    expect(attacked.filter(route => !target.routes.includes(route))).toEqual([])
  })

  test('what they attack opens to those who may', async () => {
    const authorization = `Bearer ${metricsToken}`
    expect((await target.client.send({ method: 'GET', path: '/metrics', headers: { authorization } })).status).toBe(200)
    expect((await target.send('nobody', { method: 'GET', path: target.fileUrl })).status).toBe(200)
    expect((await target.send('nobody', { method: 'GET', path: target.avatarUrl })).status).toBe(200)
    expect((await target.send('nobody', { method: 'HEAD', path: target.zipUrl })).status).toBe(200)
  })

  describe.each(otherRoutes)('$route', ({ route, mayAnswer = [], expects = 'error shape', needs, attacks }) => {
    const callers: Caller[] = needs ? ['nobody', 'revoked', 'viewer', 'member', 'admin'] : ['nobody', 'member']
    test.each(callers)('withstands %s', async caller => {
      const reachesRoute = needs === undefined || mayCall({ act: needs }, caller)
      const verdicts = await attackAll(target, caller, chosen(attacks(target), reachesRoute), {
        allowed: reachesRoute,
        expects: reachesRoute ? expects : 'error shape',
        ignores: route.includes('/auth/google') ? ['table sign_in_attempts'] : [],
      })
      for (const { attack, answer, faults } of verdicts) {
        const isPage = String(answer.headers['content-type']).startsWith('text/html')
        const opened = answer.status < 400 && !isPage && !mayAnswer.includes(answer.status)
        // OPTIONS only describes the server (tus defines it).
        if (opened && attack.method !== 'OPTIONS') faults.push(`answered ${answer.status}`)
      }
      expect(reportOf(verdicts)).toEqual([])
    })
  })

  test('the page after a sign-in is the same whatever its address says, and sets nothing', async () => {
    const plain = await target.send('nobody', { method: 'GET', path: '/auth/callback' })
    expect([plain.status, plain.headers['cache-control']]).toEqual([200, 'no-store'])
    const attacks = chosen(queries('/auth/callback', ['token', 'error', 'next']), true)
    const verdicts = await attackAll(target, 'nobody', attacks, { allowed: true })
    for (const { answer, faults } of verdicts) {
      if (answer.text !== plain.text) faults.push(`answered ${answer.status} with another page`)
      if (answer.headers['set-cookie'] !== undefined) faults.push('set a cookie')
      if (!String(answer.headers['content-security-policy']).includes("script-src 'self'")) faults.push('has no policy')
      if (answer.headers['referrer-policy'] !== 'no-referrer') faults.push('would send its address elsewhere')
    }
    expect(reportOf(verdicts)).toEqual([])
  })

  test('nothing but the page is below its address', async () => {
    const verdicts = await attackAll(target, 'nobody', chosen(paths('/auth/callback/'), true), { allowed: true })
    const opened = verdicts.filter(({ answer }) => answer.status < 400).map(({ attack }) => attack.path)
    expect(reportOf(verdicts)).toEqual([])
    expect(opened).toEqual([])
  })

  /** A sample for the second engine and for callers without a session, outside the long run. */
  function chosen(attacks: Attack[], reachesRoute: boolean): Attack[] {
    if (process.env.LONG) return attacks
    const step = (engine === engines[0] ? 1 : 8) * (reachesRoute ? 4 : 12)
    return attacks.filter(({ path }, i) => i % step === 0 || path.includes(canary.name))
  }

  test('a live stream begins at no position that was not one of its own', async () => {
    const positions = ['../x', '-1', '1e309', 'x'.repeat(8_000), '{"a":1}', '[]', '999999999999999999999']
    const answers = await inParallel(positions, position =>
      target.send('member', { method: 'GET', path: '/api/events', headers: { 'last-event-id': position } }),
    )
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('resync')
    }
  })
}
