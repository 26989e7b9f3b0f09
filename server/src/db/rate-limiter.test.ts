import { expect, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { databaseRateLimiter } from './rate-limiter.sql.ts'

const A_MINUTE = 60_000

test('servers count together, even at the same moment', async () => {
  const { open } = await emptyDatabase('postgres')
  const servers = await Promise.all([open(), open()])
  const limiters = servers.map(db => databaseRateLimiter(db, A_MINUTE, () => 1_000))
  const counted = await Promise.allSettled(
    Array.from({ length: 60 }, (_, i) => limiters[i % 2]?.hit('write:account:7', 50)),
  )
  const refused = counted.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(10)
  expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests', retryAfterSeconds: 59 } })
  await expect(limiters[0]?.hit('write:account:8', 50)).resolves.toBeUndefined()
})

test('the next window starts at zero, and expired counts are deleted', async () => {
  const { open, rows } = await emptyDatabase('postgres')
  let now = 10 * A_MINUTE
  const limiter = databaseRateLimiter(await open(), A_MINUTE, () => now)
  await limiter.hit('ada', 1)
  await limiter.hit('ben', 1)
  await expect(limiter.hit('ada', 1)).rejects.toMatchObject({ code: 'too_many_requests' })
  now += A_MINUTE
  await limiter.hit('ada', 1)
  expect(await rows('select key, hits from rate_limits')).toEqual([{ key: 'ada', hits: 1 }])
})
