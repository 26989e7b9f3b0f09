import type { Adapter, AdapterPayload } from 'oidc-provider'
import { keepNewest } from '../../kit/newest.ts'

/** Anyone may begin a sign-in; a family's take a dozen entries each. */
const MOST_ENTRIES = 5_000

interface Entry {
  payload: AdapterPayload
  expiresAt: number
}

/** What the demo provider remembers between two requests. Losing it at a restart only means choosing a person again. */
export function demoMemory(): (kind: string) => Adapter {
  const entries = new Map<string, Entry>()

  function sweep(): void {
    const now = Date.now()
    for (const [key, entry] of entries) if (entry.expiresAt < now) entries.delete(key)
  }

  function find(test: (key: string, payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    sweep()
    for (const [key, { payload }] of entries) if (test(key, payload)) return payload
    return undefined
  }

  return kind => ({
    async upsert(id, payload, expiresIn) {
      keepNewest(entries, MOST_ENTRIES, `${kind}:${id}`, {
        payload,
        expiresAt: Date.now() + (expiresIn ?? 3600) * 1000,
      })
    },
    find: async id => find(key => key === `${kind}:${id}`),
    findByUid: async uid => find((key, payload) => key.startsWith(`${kind}:`) && payload.uid === uid),
    findByUserCode: async () => undefined,
    async consume(id) {
      const entry = entries.get(`${kind}:${id}`)
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      entries.delete(`${kind}:${id}`)
    },
    async revokeByGrantId(grantId) {
      // The library calls this for each kind that goes with the grant. An interaction names its grant too, and goes on.
      for (const [key, { payload }] of entries) {
        if (key.startsWith(`${kind}:`) && payload.grantId === grantId) entries.delete(key)
      }
    },
  })
}
