import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** `fetch` and browsers refuse this one, whichever program listens there. All others that they refuse are below 10,000. */
const REFUSED_BY_CLIENTS = 10_080

/** So many processes of one run take ports at the same time, each from ports of its own. */
const PROCESSES = 8

/**
 * A port of the loopback that nobody listens on, for a server that must know its own address before it starts. It is below
 * the range from which the system takes ports for outgoing connections: one of those could take it in the meantime. So
 * could another process of the same run, which is why no two of them look at the same ports.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + randomInt(2_750) * PROCESSES + processNumber()
    if (port === REFUSED_BY_CLIENTS) continue
    const socket = createServer().listen(port, '127.0.0.1')
    try {
      await once(socket, 'listening')
    } catch {
      // Somebody listens there.
      continue
    }
    socket.close()
    await once(socket, 'close')
    return port
  }
}

/** Vitest numbers its processes from 1, Playwright from 0; what runs before them has no number. */
function processNumber(): number {
  const { VITEST_POOL_ID, TEST_PARALLEL_INDEX } = process.env
  const number = VITEST_POOL_ID ? Number(VITEST_POOL_ID) : TEST_PARALLEL_INDEX ? Number(TEST_PARALLEL_INDEX) + 1 : 0
  return number % PROCESSES
}
