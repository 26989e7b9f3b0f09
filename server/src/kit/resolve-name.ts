import { Resolver } from 'node:dns/promises'

/**
 * All addresses of a host that somebody else names, by DNS. `lookup` asks the system in one of a few threads, and waits there for a
 * silent name server although nobody waits any more: a few made-up names would hold up every other name that the server looks up,
 * such as those of the identity provider, the store and the mail server.
 */
export async function resolveName(hostname: string, signal: AbortSignal, nameServers?: string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    signal.throwIfAborted()
    const addresses = found.flatMap(result => (result.status === 'fulfilled' ? result.value : []))
    const [first] = found
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason
    return addresses
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
