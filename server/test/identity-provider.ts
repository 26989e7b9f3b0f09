import { createPrivateKey, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { newDemoKeys } from '#server/auth/demo/keys.ts'
import { type DemoPerson, demoClientId } from '#server/auth/demo/people.ts'
import { demoProvider } from '#server/auth/demo/provider.ts'
import { freePort } from './free-port.ts'

/** Simulated failures of an identity provider and attacks on its tokens. */
export type Fault = 'hangs up' | 'never answers' | 'forged signature' | 'foreign nonce' | 'foreign audience' | 'expired'

export interface IdentityProvider {
  issuer: URL
  clientId: string
  clientSecret: string
  /** The accounts of this provider. Tests add to it and change it. */
  people: DemoPerson[]
  fault: Fault | undefined
  /** Pictures by path, served as Google serves avatars. */
  files: Map<string, Uint8Array>
  close(): Promise<void>
}

/** A real OpenID provider on a separate server, like Google. */
export async function startIdentityProvider(redirectUri: URL, people: DemoPerson[]): Promise<IdentityProvider> {
  const port = await freePort()
  const issuer = new URL(`http://127.0.0.1:${port}`)
  const keys = newDemoKeys()
  const handle = demoProvider({ issuer, redirectUri, people, keys, title: 'Test' })
  const server = createServer((request, response) => {
    if (provider.fault === 'hangs up') return void request.destroy()
    if (provider.fault === 'never answers') return
    const file = provider.files.get(request.url ?? '')
    if (file) return void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(file)
    if (provider.fault && request.url === '/token') tamper(response, provider.fault, keys.signingKey)
    handle(request, response).catch(error => response.destroy(error))
  })
  const provider: IdentityProvider = {
    issuer,
    clientId: demoClientId,
    clientSecret: keys.clientSecret,
    people,
    fault: undefined,
    files: new Map(),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return provider
}

const falseClaims: Partial<Record<Fault, object>> = {
  'foreign nonce': { nonce: 'somebody-elses-nonce' },
  'foreign audience': { aud: 'another-client' },
  expired: { iat: 1_000_000_000, exp: 1_000_000_060 },
}

/** Replaces the ID token in the response. */
function tamper(response: ServerResponse, fault: Fault, signingKey: Record<string, unknown>): void {
  const end = response.end.bind(response)
  response.end = ((body: string | Buffer) => {
    const answer = JSON.parse(String(body)) as { id_token: string }
    const [header = '', payload = '', signature = ''] = answer.id_token.split('.')
    const claims = falseClaims[fault]
    const token = claims
      ? signed(header, { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims }, signingKey)
      : `${header}.${payload}.${[...signature].reverse().join('')}`
    response.removeHeader('content-length')
    return end(JSON.stringify({ ...answer, id_token: token }))
  }) as ServerResponse['end']
}

function signed(header: string, claims: object, signingKey: Record<string, unknown>): string {
  const content = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  const key = createPrivateKey({ key: signingKey, format: 'jwk' })
  return `${content}.${sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
