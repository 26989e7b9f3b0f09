import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** `fetch` and browsers block this port. All others that they block are below 10,000. */
const REFUSED_BY_CLIENTS = 10_080

/** Maximum concurrent processes of one run, each of which uses a separate set of ports. */
const PROCESSES = 8

/** Ports given to a caller that may not have begun to listen, so that no second caller gets the same. */
const givenPorts = new Set<number>()

/**
 * An unused loopback port, for a server that must know its own URL before it starts. It is below the range of
 * ephemeral ports, which an outgoing connection could take in between. Other processes of the same run use disjoint
 * sets of ports.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + randomInt(2_750) * PROCESSES + processNumber()
    if (port === REFUSED_BY_CLIENTS || givenPorts.has(port)) continue
    givenPorts.add(port)
    const socket = createServer().listen(port, '127.0.0.1')
    try {
      await once(socket, 'listening')
    } catch {
      // The port is in use.
      continue
    }
    socket.close()
    await once(socket, 'close')
    return port
  }
}

/** Vitest numbers its processes from 1, Playwright from 0; code that runs before them has no number. */
function processNumber(): number {
  const { VITEST_POOL_ID, TEST_PARALLEL_INDEX } = process.env
  const number = VITEST_POOL_ID ? Number(VITEST_POOL_ID) : TEST_PARALLEL_INDEX ? Number(TEST_PARALLEL_INDEX) + 1 : 0
  return number % PROCESSES
}
