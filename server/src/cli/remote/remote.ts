import { type Client, openClient } from '#client/client.ts'
import type { RemoteSettings } from '../../config.ts'
import { type Call, UsageError } from '../command.ts'

/** A command for the library of another server, by its API. It needs no configuration of a server. */
export interface RemoteCommand {
  usage: string
  runRemote(call: RemoteCall): Promise<number>
}

export interface RemoteCall extends Pick<Call, 'args' | 'cwd' | 'out' | 'signal'> {
  settings: RemoteSettings
}

export const remoteFlags = { server: { type: 'string' }, password: { type: 'string' } } as const

export const remoteUsage = `--server URL and --password PASSWORD, or HEIRLOOM_URL and HEIRLOOM_PASSWORD in the environment, name the library
and an app password, which you make in My settings.`

export function connectTo(
  { settings }: RemoteCall,
  {
    server = settings.url,
    password = settings.password,
  }: { server?: string | undefined; password?: string | undefined },
): Client {
  if (!server) throw new UsageError('Which library? Name it by --server URL or HEIRLOOM_URL.')
  if (!password)
    throw new UsageError('Make an app password in My settings, and name it by --password or HEIRLOOM_PASSWORD.')
  const url = URL.parse(server)
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`“${server}” is no web address.`)
  return openClient({ url, token: password })
}
