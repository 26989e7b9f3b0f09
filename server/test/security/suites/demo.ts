import { afterAll, beforeAll, expect, test } from 'vitest'
import { providerReturnPath, signInPath } from '#contract/auth.ts'
import { demoClientId } from '#server/auth/demo/people.ts'
import { isWebFile } from '../../access-table.ts'
import { Browser } from '../../browser.ts'
import { startLibrary } from '../../library.ts'
import { registeredRoutes } from '../../registered-routes.ts'
import { ChangeDetector } from '../change-detector.ts'
import { contractEndpoints, routeOf } from '../contract-endpoints.ts'
import { encodePart, hostileTexts } from '../hostile-values.ts'
import { type Attack, type Attacked, attackAll, reportOf } from '../judge.ts'
import { otherRoutes, paths, queries } from '../other-routes.ts'
import { RawClient } from '../raw-client.ts'

const long = Boolean(process.env.LONG)

/** All values in the long run, otherwise one in `share`. */
function some<T>(values: readonly T[], share: number): T[] {
  return values.filter((_, i) => long || i % share === 0)
}

/** The demo provider. It keeps its state in memory, so one engine is enough. */
export function attackDemo(): void {
  let target: Attacked & { routes: string[]; choosePath: string; close(): Promise<void> }
  beforeAll(async () => {
    target = await openDemo()
  })
  afterAll(() => target?.close())

  test('has no route that is not attacked here or with the others', async () => {
    const endpoints = await contractEndpoints()
    const known = [...endpoints.map(routeOf), ...otherRoutes.map(({ route }) => route)]
    const own = target.routes.filter(route => !known.includes(route) && !isWebFile(route))
    expect(own.toSorted()).toEqual(['ANY /demo', 'ANY /demo/*'])
  })

  test.each<[name: string, attacks: () => Attack[]]>([
    ['addresses', () => some(paths('/demo/'), 2)],
    ['sign-ins', signIns],
    ['choices of a person', choices],
    ['requests for tokens', tokenRequests],
    ['calls with a token', tokenCalls],
  ])('withstands hostile %s', async (_, attacks) => {
    const verdicts = await attackAll(target, 'nobody', attacks(), { allowed: true, expects: 'any shape' })
    for (const { attack, answer, faults } of verdicts) {
      if (answer.text.includes('access_token')) faults.push('gave out a token')
      if (attack.body && answer.headers.location && /[?&]code=/.test(String(answer.headers.location)))
        faults.push('signed somebody in')
    }
    expect(verdicts.length).toBeGreaterThan(10)
    expect(reportOf(verdicts)).toEqual([])
  })

  test('answers nobody who is elsewhere, whatever they send', async () => {
    const elsewhere = [{ host: 'evil.example' }, { 'x-forwarded-for': '10.0.0.1' }, { origin: 'https://evil.example' }]
    const attacks = [...signIns(), ...choices(), ...tokenRequests()].flatMap((attack, i) => {
      const headers = { ...attack.headers, ...elsewhere[i % elsewhere.length] }
      return i % 5 === 0 ? [{ ...attack, headers: headers as Record<string, string> }] : []
    })
    const verdicts = await attackAll(target, 'nobody', attacks, { allowed: true })
    for (const { answer, faults } of verdicts) if (answer.status !== 403) faults.push(`answered ${answer.status}`)
    expect(reportOf(verdicts)).toEqual([])
  })

  function signIns(): Attack[] {
    const valid = {
      client_id: demoClientId,
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: new URL(providerReturnPath, target.library.config.publicUrl).href,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      state: 'x',
      nonce: 'x',
    }
    const fields = [...Object.keys(valid), 'prompt', 'request', 'request_uri', 'claims', 'id_token_hint', 'max_age']
    return fields.flatMap(field =>
      some(hostileTexts, 5).map(text => {
        const query = Object.entries({ ...valid, [field]: text }).map(([key, value]) => `${key}=${encodePart(value)}`)
        return { name: field, method: 'GET', path: `/demo/auth?${query.join('&')}` }
      }),
    )
  }

  function choices(): Attack[] {
    const forms = some(hostileTexts, 3).map(text => `person=${encodePart(text)}`)
    const bodies = [
      ...forms,
      'person=ada&person=ben',
      'person[]=ada',
      '',
      '=',
      'x'.repeat(20_000),
      '\0',
      '{"person":"ada"}',
    ]
    return [
      ...some(paths('/demo/choose/'), 3),
      ...bodies.flatMap(body => [
        form('/demo/choose/none', body),
        // Without the cookie of the browser that began this sign-in.
        form(target.choosePath, body),
      ]),
      form(target.choosePath, 'person=ada'),
    ]
  }

  function tokenRequests(): Attack[] {
    const fields = ['grant_type', 'code', 'client_id', 'client_secret', 'redirect_uri', 'code_verifier']
    const valid = { grant_type: 'authorization_code', client_id: demoClientId, client_secret: 'x', code: 'x' }
    return fields.flatMap(field =>
      some(hostileTexts, 5).map(text => {
        const words = Object.entries({ ...valid, [field]: text }).map(([key, value]) => `${key}=${encodePart(value)}`)
        return form('/demo/token', words.join('&'))
      }),
    )
  }

  function tokenCalls(): Attack[] {
    const headers = some(hostileTexts, 3).flatMap(text => (/^[\x20-\x7e]*$/.test(text) ? [text] : []))
    return [
      ...headers.map(text => ({
        name: `Bearer ${text.slice(0, 40)}`,
        method: 'GET',
        path: '/demo/me',
        headers: { authorization: `Bearer ${text}` },
      })),
      ...some(queries('/demo/session/end', ['post_logout_redirect_uri', 'id_token_hint', 'client_id']), 4),
      ...some(queries('/demo/me', ['access_token']), 4),
    ]
  }
}

function form(path: string, body: string): Attack {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { name: body.slice(0, 60), method: 'POST', path, headers, body }
}

async function openDemo() {
  const { library, routes } = await registeredRoutes(() =>
    startLibrary({
      environment: {
        OIDC_CLIENT_ID: undefined,
        OIDC_CLIENT_SECRET: undefined,
        TRUST_PROXY: 'false',
        LOG_LEVEL: 'error',
      },
    }),
  )
  const client = new RawClient(library.url, { isBehindProxy: false })
  const changeDetector = await ChangeDetector.open(library)
  // A sign-in is in progress in a browser that the attackers do not control.
  const { pathname } = await new Browser(null).follow(new URL(signInPath, library.url))
  const guarded = {
    queries: ['select * from people order by id', 'select * from sessions order by token_hash'],
    files: await changeDetector.files(),
  }
  return {
    library,
    routes,
    changeDetector,
    guarded,
    guardedBefore: await changeDetector.fingerprint(guarded),
    secrets: [],
    choosePath: pathname,
    send: (_caller: unknown, request: Parameters<RawClient['send']>[0]) => client.send(request),
    async close() {
      client.close()
      await changeDetector.close()
      await library.close()
    },
  }
}
