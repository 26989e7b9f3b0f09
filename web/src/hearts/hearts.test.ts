import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { mediaGrid } from '#contract/grid.ts'
import { endpointKey } from '../kit/queries.ts'
import { showHearts } from './hearts.ts'

test('a response that was on its way does not replace a new heart', async () => {
  const client = new QueryClient()
  const queryKey = [...endpointKey(mediaGrid), { query: {} }]
  const before = [{ id: 1, hearted: false, hearts: 2 }]
  client.setQueryData(queryKey, before)
  const fetched = client.fetchQuery({ queryKey, queryFn: () => new Promise(resolve => setTimeout(resolve, 0, before)) })
  showHearts(client, { id: 3, username: 'ben', name: 'Ben' }, new Set([1]), true)
  await fetched
  expect(client.getQueryData(queryKey)).toEqual([{ id: 1, hearted: true, hearts: 3 }])
})
