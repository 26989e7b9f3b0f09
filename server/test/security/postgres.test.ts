import { afterAll, beforeAll, describe, vi } from 'vitest'
import { attackEndpoints } from './suites/endpoints.ts'
import { fuzz } from './suites/fuzz.ts'
import { attackOtherRoutes } from './suites/other-routes.ts'
import { openTarget, type Target } from './target.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe('the library on Postgres', () => {
  let target: Target
  beforeAll(async () => {
    target = await openTarget('postgres')
  })
  afterAll(() => target?.close())
  const opened = () => target

  describe('random input', () => fuzz(opened, 'postgres'))
  describe('routes outside the contract', () => attackOtherRoutes(opened, 'postgres'))
  describe('endpoints', () => attackEndpoints(opened, 'postgres'))
})
