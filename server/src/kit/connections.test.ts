import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limitConnections } from './connections.ts'
import type { TrustedProxies } from './ip-addresses.ts'

/** Whether each connection, one after the other from these addresses of this machine, is still open after a request. */
async function answered(trusted: TrustedProxies, addresses: readonly string[]): Promise<boolean[]> {
  const server = createServer((_request, response) => response.end('answer'))
  limitConnections(server, 6, trusted)
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const outcomes: boolean[] = []
  for (const localAddress of addresses) {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    outcomes.push(
      await new Promise<boolean>(resolve => {
        socket.once('data', () => resolve(true))
        socket.once('error', () => resolve(false))
        socket.once('close', () => resolve(false))
      }),
    )
  }
  return outcomes
}

const [one, other] = ['127.0.0.1', '127.0.0.2']

test('one address has at most half of the connections', async () => {
  const outcomes = await answered({ hops: 0 }, [one, one, one, one, one, other, other])
  expect(outcomes).toEqual([true, true, true, false, false, true, true])
})

test('a trusted proxy has all of them, and an address beside it half', async () => {
  const six = [one, one, one, one, one, one]
  expect(await answered({ addresses: [one] }, six)).toEqual(six.map(() => true))
  expect(await answered({ hops: 1 }, six)).toEqual(six.map(() => true))
  expect(await answered({ addresses: [other] }, [one, one, one, one])).toEqual([true, true, true, false])
})
