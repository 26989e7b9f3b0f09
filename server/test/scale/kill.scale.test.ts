import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UploadStorm, untilQuiet } from '../faults/upload-storm.ts'
import { CallRefused, type Visitor } from '../visitor.ts'
import { ChatBurst } from './chat-burst.ts'
import { startCluster } from './cluster.ts'

const long = Boolean(process.env.LONG)
const ROUNDS = long ? 20 : 3
const LEASE_MS = 60_000

test(
  `of five servers any can be killed, ${ROUNDS} times, in the midst of uploads and messages: nothing that was acknowledged is lost or doubled`,
  async () => {
    const cluster = await startCluster()
    const { serverData, ada } = cluster
    const storm = await UploadStorm.prepare()
    const burst = await ChatBurst.prepare(await cluster.newPerson('ben'), await cluster.newPerson('rose'))
    const over = new AbortController()
    const talking = burst.talk(over.signal)
    const running = Promise.all([1, 2, 3].map(() => rageOn(storm, ada, over.signal)))
    for (let round = 0; round < ROUNDS; round++) {
      // Kills a web server, the uploads host and a worker in turn, then the other ones.
      const member = [0, 2, 3, 1, 4][round % 5] ?? 0
      await wait(700 + Math.random() * 800)
      await cluster.kill(member)
      await wait(300 + Math.random() * 400)
      await cluster.revive(member)
    }
    await wait(500)
    over.abort()
    await Promise.all([talking, running])

    await expectNoLongClaims(serverData)
    await serverData.rows('update jobs set lease_expires_at = 0 where lease_expires_at is not null')
    await untilQuiet(serverData)
    await storm.verify(ada, serverData)
    await burst.verify()
    expect(await serverData.rows('select name, last_error from jobs where failed_at is not null')).toEqual([])
    expect([...storm.fates.values()].filter(fate => fate === 'kept').length).toBeGreaterThan(ROUNDS)
    await cluster.stop()
  },
  long ? 1_800_000 : 240_000,
)

/** A run of the storm ends when its server dies; the next run uses another server. */
async function rageOn(storm: UploadStorm, ada: Visitor, over: AbortSignal): Promise<void> {
  const until: Visitor = {
    call: (...args) => ada.call(...args),
    fetch: (...args) => (over.aborted ? Promise.reject(new Error('The storm is over')) : ada.fetch(...args)),
  }
  while (!over.aborted) {
    await storm.run(until, 1).catch(error => {
      if (!(error instanceof CallRefused) || error.status !== 503) throw error
    })
  }
}

/** A killed server blocks its jobs for no longer than their leases. */
async function expectNoLongClaims(serverData: {
  rows(query: string): Promise<Record<string, unknown>[]>
}): Promise<void> {
  for (const { lease_expires_at } of await serverData.rows(
    'select lease_expires_at from jobs where lease_token is not null',
  )) {
    expect(Number(lease_expires_at) - Date.now()).toBeLessThanOrEqual(LEASE_MS)
  }
}
