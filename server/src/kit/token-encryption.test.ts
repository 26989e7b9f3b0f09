import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTokenEncryption, linkKeyFile, parseKey } from './token-encryption.ts'

const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

function encryption(options: Partial<Parameters<typeof createTokenEncryption>[0]>) {
  const warnings: string[] = []
  const log = { warn: (context: object, message: string) => void warnings.push(JSON.stringify(context) + message) }
  return { ...createTokenEncryption({ keys: [], file: undefined, makeFile: false, log, ...options }), warnings }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a secret is readable with its key and its subject alone', () => {
  const { encrypt, decrypt, stateOf } = encryption({ keys: [newKey] })
  const encrypted = encrypt('the secret', 'link 1') ?? ''
  expect(encrypted).not.toContain('secret')
  expect(decrypt(encrypted, 'link 1')).toBe('the secret')
  expect(decrypt(encrypted, 'link 2')).toBeNull()
  expect(encrypt('the secret', 'link 1')).not.toBe(encrypted)
  const other = encryption({ keys: [oldKey] })
  expect([stateOf(encrypted), other.stateOf(encrypted), stateOf(null)]).toEqual(['stored', 'other_key', 'not_stored'])
  expect(other.decrypt(encrypted, 'link 1')).toBeNull()
})

test('a changed text is not decrypted, and the warning does not contain it', () => {
  const { encrypt, decrypt, warnings } = encryption({ keys: [newKey] })
  const encrypted = encrypt('the secret', 'link 1') ?? ''
  const [version, id, data = ''] = encrypted.split('.')
  const bytes = Buffer.from(data, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(decrypt([version, id, changed.toString('base64url')].join('.'), 'link 1')).toBeNull()
  }
  for (const text of [
    '',
    'v1',
    `v1.${id}`,
    `v1.${id}.`,
    `v2.${id}.${data}`,
    `${encrypted}AAAA`,
    encrypted.slice(0, -4),
  ]) {
    expect(decrypt(text, 'link 1')).toBeNull()
  }
  expect(warnings.join()).not.toContain(data.slice(0, 12))
})

test('with a new key in front, what the old one has encrypted stays readable', () => {
  const before = encryption({ keys: [oldKey] }).encrypt('the secret', 'link 1') ?? ''
  const { encrypt, decrypt } = encryption({ keys: [newKey, oldKey] })
  expect(decrypt(before, 'link 1')).toBe('the secret')
  expect(encryption({ keys: [newKey] }).decrypt(encrypt('another', 'link 1') ?? '', 'link 1')).toBe('another')
})

test('the file is made at the first use, for nobody else to read, and is used after a restart', () => {
  const file = join(newFolder(), 'data', linkKeyFile)
  const first = encryption({ file, makeFile: true })
  expect(() => statSync(file)).toThrow('ENOENT')
  const encrypted = first.encrypt('the secret', 'link 1') ?? ''
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(file, '..'))).toEqual([linkKeyFile])
  const key = readFileSync(file)
  const second = encryption({ file, makeFile: true })
  expect(second.decrypt(encrypted, 'link 1')).toBe('the secret')
  second.encrypt('another', 'link 2')
  expect(readFileSync(file)).toEqual(key)
})

test('two processes that make the file at the same moment use the same key', () => {
  const file = join(newFolder(), linkKeyFile)
  const [one, two] = [encryption({ file, makeFile: true }), encryption({ file, makeFile: true })]
  const encrypted = one.encrypt('the secret', 'link 1') ?? ''
  expect(two.encrypt('another', 'link 2')).not.toBeNull()
  expect(two.decrypt(encrypted, 'link 1')).toBe('the secret')
})

test('a file that is not a key is left as it is, and links cannot be shown again', () => {
  const file = join(newFolder(), linkKeyFile)
  writeFileSync(file, 'not a key')
  chmodSync(file, 0o600)
  const { encrypt, warnings } = encryption({ file, makeFile: true })
  expect(encrypt('the secret', 'link 1')).toBeNull()
  expect(readFileSync(file, 'utf8')).toBe('not a key')
  expect(warnings[0]).toContain('links cannot be shown again')
})

test('an empty file, which a power failure may leave, gets its key', () => {
  const file = join(newFolder(), linkKeyFile)
  writeFileSync(file, '')
  expect(encryption({ file, makeFile: true }).encrypt('the secret', 'link 1')).not.toBeNull()
  expect(parseKey(readFileSync(file, 'utf8'))).toBeDefined()
})

test('servers that share a library make no file, and use one that is there', () => {
  const file = join(newFolder(), linkKeyFile)
  expect(encryption({ file }).encrypt('the secret', 'link 1')).toBeNull()
  writeFileSync(file, newKey.toString('base64'))
  expect(encryption({ file }).encrypt('the secret', 'link 1')).not.toBeNull()
})

test('a key is 32 bytes in base64, base64url or hex', () => {
  for (const text of ['base64', 'base64url', 'hex'] as const) expect(parseKey(newKey.toString(text))).toEqual(newKey)
  for (const text of ['', 'secret', 'a'.repeat(42), 'a'.repeat(63), `${'a'.repeat(43)}!`]) {
    expect(parseKey(text)).toBeUndefined()
  }
})
