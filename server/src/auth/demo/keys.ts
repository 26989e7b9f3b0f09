import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const DemoKeys = z.object({
  clientSecret: z.string(),
  cookieKey: z.string(),
  signingKey: z.record(z.string(), z.unknown()),
})
export type DemoKeys = z.infer<typeof DemoKeys>

/** The demo provider's keys, generated once per data folder, so that a restart signs nobody out. */
export function demoKeys(dataFolder: string): DemoKeys {
  const file = join(dataFolder, 'demo-provider.json')
  if (existsSync(file)) return DemoKeys.parse(JSON.parse(readFileSync(file, 'utf8')))
  const keys = newDemoKeys()
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(file, JSON.stringify(keys), { mode: 0o600, flag: 'wx', flush: true })
  return keys
}

export function newDemoKeys(): DemoKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    clientSecret: randomBytes(24).toString('base64url'),
    cookieKey: randomBytes(24).toString('base64url'),
    signingKey: { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'demo' },
  }
}
