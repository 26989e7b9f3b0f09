import { afterAll, beforeAll, describe, vi } from 'vitest'
import { attackDemo } from './suites/demo.ts'
import { attackEndpoints } from './suites/endpoints.ts'
import { fuzz } from './suites/fuzz.ts'
import { attackOtherRoutes } from './suites/other-routes.ts'
import { findPlantedFaults } from './suites/planted-faults.ts'
import { attackUploads } from './suites/uploads.ts'
import { openTarget, type Target } from './target.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// One server for all suites: starting one with people and files costs more than most of the attacks.
describe('the library on SQLite', () => {
  let target: Target
  beforeAll(async () => {
    target = await openTarget('sqlite')
  })
  afterAll(() => target?.close())
  const opened = () => target

  describe('random input', () => fuzz(opened, 'sqlite'))
  describe('routes outside the contract', () => attackOtherRoutes(opened, 'sqlite'))
  describe('uploads', () => attackUploads(opened))
  describe('endpoints', () => attackEndpoints(opened, 'sqlite'))
})

describe('planted faults', () => findPlantedFaults())
describe('the provider of the demo', () => attackDemo())
