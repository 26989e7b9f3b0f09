import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const health = endpoint({
  method: 'GET',
  path: '/healthz',
  summary: 'Whether database and storage answer',
  act: 'anyone',
  answer: z.object({ status: z.literal('ok') }),
})
