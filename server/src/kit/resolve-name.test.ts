import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { resolveName } from './resolve-name.ts'

const A = 1
const AAAA = 28

/** A name server that has one name with an address of each kind, another without any, and is silent about all others. */
async function startNameServer() {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, client) => {
    const end = query.indexOf(0, 12)
    const name = query.subarray(13, end).toString('latin1')
    asked.push(name)
    if (!/^(?:good|none)/.test(name)) return
    const type = query.readUInt16BE(end + 1)
    const address =
      type === A ? Buffer.from([93, 184, 215, 14]) : Buffer.from('20010000000000000000000000000001', 'hex')
    const hasAddress = name.startsWith('good') && (type === A || type === AAAA)
    const head = Buffer.from([0x81, 0x80, 0, 1, 0, hasAddress ? 1 : 0, 0, 0, 0, 0])
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address])
    const parts = [query.subarray(0, 2), head, query.subarray(12, end + 5), ...(hasAddress ? [record] : [])]
    socket.send(Buffer.concat(parts), client.port, client.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => new Promise(resolve => socket.close(() => resolve())))
  return { asked, servers: [`127.0.0.1:${socket.address().port}`] }
}

test('a name has its addresses of both kinds, or none', async () => {
  const { servers } = await startNameServer()
  const { signal } = new AbortController()
  expect(await resolveName('good.example', signal, servers)).toEqual(['93.184.215.14', '2001::1'])
  await expect(resolveName('none.example', signal, servers)).rejects.toThrow('ENODATA')
})

test('names whose name server is silent hold up no other name, and are given up with their signal', async () => {
  const { asked, servers } = await startNameServer()
  const given = new AbortController()
  const silent = Array.from({ length: 50 }, (_, i) => resolveName(`silent${i}.example`, given.signal, servers))
  const outcomes = Promise.allSettled(silent)
  expect(await resolveName('good.example', new AbortController().signal, servers)).toHaveLength(2)
  expect(await lookup('127.0.0.1')).toMatchObject({ address: '127.0.0.1' })
  given.abort(new Error('Nobody waits'))
  expect((await outcomes).map(outcome => outcome.status === 'rejected' && outcome.reason.message)).toEqual(
    silent.map(() => 'Nobody waits'),
  )
  expect(asked.some(name => name.startsWith('silent'))).toBe(true)
})
