import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const store = { S3_BUCKET: 'family', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
const google = { OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' }

test('with nothing set it is a demo on loopback with SQLite', () => {
  const config = readConfig({})
  expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, databaseUrl: undefined, oidc: undefined })
  expect(config.publicUrl.href).toBe('http://127.0.0.1:3000/')
})

test('an empty setting counts as not set', () => {
  expect(readConfig({ PORT: '', APP_TITLE: '  ' })).toMatchObject({ port: 3000, title: 'Heirloom' })
})

test('keys of links are split, the one for new links first', () => {
  const { linkKeys } = readConfig({ LINK_KEY: `${'ab'.repeat(32)}, ${Buffer.alloc(32, 1).toString('base64')}` })
  expect(linkKeys).toEqual([Buffer.alloc(32, 0xab), Buffer.alloc(32, 1)])
  expect(readConfig({}).linkKeys).toEqual([])
})

test('lists of e-mails are split, trimmed and lower case', () => {
  const config = readConfig({ ADMIN_EMAILS: ' Ada@Example.com, ben@example.com ' })
  expect(config.adminEmails).toEqual(['ada@example.com', 'ben@example.com'])
})

test.each([
  ['PORT', { PORT: 'eighty' }],
  ['PORT', { PORT: '70000' }],
  ['PORT', { PORT: '0' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'family.example' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://family.example/photos', ...google }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
  ['OIDC_CLIENT_SECRET', { OIDC_CLIENT_ID: 'id' }],
  ['OIDC_CLIENT_ID', { OIDC_CLIENT_SECRET: 'secret' }],
  ['OIDC_ISSUER', { ...google, OIDC_ISSUER: 'http://login.example' }],
  ['OIDC_ISSUER', { ...google, OIDC_ISSUER: 'not an address' }],
  ['ADMIN_EMAILS', { ADMIN_EMAILS: 'ada' }],
  ['ADMIN_EMAILS', { ADMIN_EMAILS: 'ada@example.com,\u{212a}ofi@example.com' }],
  ['APPROVED_EMAILS', { APPROVED_EMAILS: 'in\u{ea}s@example.com' }],
  ['HOST', { HOST: '0.0.0.0' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://family.example' }],
  ['SANDBOX', { SANDBOX: 'maybe' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['HOME_TIMEZONE', { HOME_TIMEZONE: 'Mars/Olympus' }],
  ['HOME_TIMEZONE', { HOME_TIMEZONE: '+02:00' }],
  ['S3_BUCKET', { S3_ENDPOINT: 'https://store.example' }],
  ['S3_SECRET_ACCESS_KEY', { ...store, S3_SECRET_ACCESS_KEY: undefined }],
  ['S3_ENDPOINT', { ...store, S3_ENDPOINT: 'https://store.example/family' }],
  ['S3_FORCE_PATH_STYLE', { ...store, S3_FORCE_PATH_STYLE: 'yes' }],
  ['ROLE', { ROLE: 'king' }],
  ['DATABASE_URL', { ...store, ROLE: 'web' }],
  ['S3_BUCKET', { DATABASE_URL: 'postgres://x', ROLE: 'worker' }],
  ['UPLOADS_URL', { UPLOADS_URL: 'https://up.example/here' }],
  ['METRICS_TOKEN', { METRICS_TOKEN: 'short' }],
  ['SMTP_URL', { SMTP_URL: 'mail.example', MAIL_FROM: 'a@family.example' }],
  ['SMTP_URL', { MAIL_FROM: 'a@family.example' }],
  ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example' }],
  ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'nobody' }],
  ['LINK_KEY', { LINK_KEY: 'short' }],
  ['LINK_KEY', { LINK_KEY: `${'ab'.repeat(32)}, short` }],
  ['TRUST_PROXY', { TRUST_PROXY: 'yes' }],
  ['TRUST_PROXY', { TRUST_PROXY: '-1' }],
  ['TRUST_PROXY', { TRUST_PROXY: '99' }],
  ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.1, caddy' }],
  ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/40' }],
  ['TRUST_PROXY', { TRUST_PROXY: ',' }],
])('a wrong %s is refused in a sentence that names it', (name, environment) => {
  expect(() => readConfig(environment)).toThrow(ConfigError)
  expect(() => readConfig(environment)).toThrow(new RegExp(`^${name} `))
})

test('a listed e-mail with a letter outside ASCII is refused for that reason', () => {
  expect(() => readConfig({ ADMIN_EMAILS: '\u{212a}ofi@example.com' })).toThrow(/ASCII characters only/)
})

test('a plain http issuer is accepted on loopback', () => {
  const config = readConfig({ ...google, OIDC_ISSUER: 'http://localhost:9000' })
  expect(config.oidc?.issuer.href).toBe('http://localhost:9000/')
})

test('a configured provider may be served to the world', () => {
  expect(readConfig({ ...google, HOST: '0.0.0.0', PUBLIC_URL: 'https://family.example' }).oidc).toBeDefined()
})

test('a store of one’s own has its bucket in the path, Amazon’s in the host, unless said otherwise', () => {
  const own = { ...store, S3_ENDPOINT: 'http://store:9000' }
  expect(readConfig(own).s3).toMatchObject({ forcePathStyle: true, region: 'us-east-1', bucket: 'family' })
  expect(readConfig({ ...own, S3_FORCE_PATH_STYLE: 'false' }).s3?.forcePathStyle).toBe(false)
  expect(readConfig(store).s3).toMatchObject({ endpoint: undefined, forcePathStyle: false })
})

test('servers can share the work once they share database and files', () => {
  expect(readConfig({ ...store, DATABASE_URL: 'postgres://x', ROLE: 'uploads' }).role).toBe('uploads')
})

test.each([
  [undefined, { hops: 0 }],
  ['false', { hops: 0 }],
  ['true', { hops: 1 }],
  ['2', { hops: 2 }],
  ['10.0.0.2, 172.18.0.0/16 fd00::/8', { addresses: ['10.0.0.2', '172.18.0.0/16', 'fd00::/8'] }],
])('TRUST_PROXY=%s', (value, expected) => {
  expect(readConfig({ TRUST_PROXY: value }).trustedProxies).toEqual(expected)
})
