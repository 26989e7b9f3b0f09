import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { type FileAccess, fileAccessLevels } from './file-access.ts'
import { isLoopbackHost, parseNetwork, type TrustedProxies } from './kit/ip-addresses.ts'
import { parseKey } from './kit/token-encryption.ts'
import { type MailSettings, parseSender, parseSmtpUrl } from './mail/settings.ts'
import { comparableEmail, isAsciiEmail } from './people/email.ts'
import { isTimeZone, systemTimeZone } from './processing/dates/time-zones.ts'
import { type SandboxMode, sandboxModes } from './processing/sandbox/open-sandbox.ts'
import type { S3Settings } from './storage/s3/bucket.ts'

/**
 * All settings. This file is the only one that reads the environment. To add a setting: add its variable to `Environment`
 * below, its field here, and the line that maps one to the other in `readConfig`; then document it in README.md.
 */
export interface Config {
  host: string
  port: number
  publicUrl: URL
  dataFolder: string
  /** Which local accounts may read the stored files. */
  fileAccess: FileAccess
  /** Start a new library although the storage contains originals of another one. */
  newLibrary: boolean
  databaseUrl: string | undefined
  /** Absent: files are stored in the data folder. */
  s3: S3Settings | undefined
  /** Which part of the work this process does. */
  role: Role
  /** Where browsers send their uploads, when not to `publicUrl`. */
  uploadsUrl: URL | undefined
  /** A folder with the core of the browsers' fallback transcoder, when not our own. */
  transcoderCoreUrl: URL | undefined
  /** What encrypts the addresses of links; empty: a file in the data folder. Old keys follow the one for new links. */
  linkKeys: Buffer[]
  /** The mail server, and whom mails are from; absent: no mails. */
  mail: MailSettings | undefined
  /** The token for `/metrics`; absent: the endpoint is off. */
  metricsToken: string | undefined
  /** Absent: the demo provider. */
  oidc: { issuer: URL; clientId: string; clientSecret: string; verifiedAsText: boolean } | undefined
  adminEmails: string[]
  approvedEmails: string[]
  title: string
  contactName: string
  adminName: string
  /** The proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: TrustedProxies
  logLevel: string
  /** How long a deleted file can be restored. */
  trashDays: number
  /** How long the activity is kept, with what undoes it. */
  auditDays: number
  /** The time zone of dates without one in the file, its place or its name. */
  homeTimeZone: string
  /** Files that are put there are stored like uploads. */
  inboxFolder: string | undefined
  /** Folders whose files are shown where they are, and never changed. */
  libraryFolders: string[]
  /** The e-mail of the person whose files they become; absent: the first admin. */
  foldersOwner: string | undefined
  ffmpegPath: string | undefined
  /** Whether the programs that read photos and videos must run in a sandbox. */
  sandbox: SandboxMode
  /** The PATH to search for programs. */
  searchPath: string | undefined
}

export const roles = ['all', 'web', 'uploads', 'worker'] as const
export type Role = (typeof roles)[number]

/** A wrong setting, in a sentence that names it. */
export class ConfigError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'ConfigError'
  }
}

const emailList = z
  .string()
  .default('')
  .transform(list => list.split(/[\s,;]+/).filter(Boolean))
  .pipe(
    z.array(
      z
        .string()
        .refine(isAsciiEmail, {
          abort: true,
          error: 'may hold ASCII characters only: an e-mail in it has a letter that can be mistaken for another',
        })
        .pipe(z.email({ error: 'must be e-mail addresses, separated by commas' }))
        .transform(comparableEmail),
    ),
  )

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an address that begins with https:// (or http://)' })

/** The table of all environment variables, with their defaults and error messages. */
const Environment = z.object({
  PORT: z.coerce.number({ error: 'must be a number' }).int().min(1, 'must be 1 or more').max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  DATA_DIR: z.string().min(1).default('data'),
  FILE_ACCESS: z.enum(fileAccessLevels, { error: `must be one of ${fileAccessLevels.join(', ')}` }).default('private'),
  NEW_LIBRARY: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/./, 'must begin with postgres:// (leave it out to use SQLite in DATA_DIR)')
    .optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_PUBLIC_ENDPOINT: httpUrl.optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_FORCE_PATH_STYLE: z.enum(['true', 'false'], { error: 'must be true or false' }).optional(),
  ROLE: z.enum(roles, { error: `must be one of ${roles.join(', ')}` }).default('all'),
  UPLOADS_URL: httpUrl.optional(),
  TRANSCODER_CORE_URL: httpUrl.optional(),
  LINK_KEY: z
    .string()
    .default('')
    .transform(list => list.split(/[\s,;]+/).filter(Boolean))
    .pipe(z.array(z.string().transform(readLinkKey))),
  SMTP_URL: z
    .string()
    .trim()
    .transform((text, context) => {
      const server = parseSmtpUrl(text)
      if (server) return server
      // The message names no part of the value, which holds a password.
      context.addIssue(
        'must be the address of a mail server, such as smtps://name:password@mail.example.com (percent signs and other signs of the password encoded as in addresses)',
      )
      return z.NEVER
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .transform((text, context) => {
      const sender = parseSender(text)
      if (sender) return sender
      context.addIssue('must be an e-mail address, such as photos@example.com or Our photos <photos@example.com>')
      return z.NEVER
    })
    .optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w-]{16,200}$/, 'must be 16 or more letters, digits, _ or -')
    .optional(),
  OIDC_ISSUER: httpUrl.default('https://accounts.google.com'),
  OIDC_TEXT_VERIFIED_ISSUERS: z
    .string()
    .default('')
    .transform(list => list.split(/[\s,;]+/).filter(Boolean))
    .pipe(z.array(httpUrl)),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  ADMIN_EMAILS: emailList,
  APPROVED_EMAILS: emailList,
  APP_TITLE: z.string().trim().min(1).max(60, 'must be at most 60 characters').default('Heirloom'),
  CONTACT_NAME: z.string().trim().min(1).max(60, 'must be at most 60 characters').default('Mum'),
  ADMIN_NAME: z.string().trim().min(1).max(60, 'must be at most 60 characters').default('the admin'),
  TRUST_PROXY: z.string().default('false').transform(readTrustedProxies),
  TRASH_DAYS: z.coerce.number({ error: 'must be a number of days' }).min(0, 'must be 0 or more').max(3_650).default(30),
  AUDIT_DAYS: z.coerce
    .number({ error: 'must be a number of days' })
    .min(1, 'must be 1 or more')
    .max(36_500)
    .default(730),
  HOME_TIMEZONE: z
    .string()
    .trim()
    .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin or America/New_York')
    .default(systemTimeZone),
  INBOX_DIR: z.string().min(1).optional(),
  LIBRARY_DIRS: z
    .string()
    .default('')
    .transform(list => list.split(/[,:]/).flatMap(folder => folder.trim() || [])),
  FOLDERS_OWNER: z.string().trim().transform(comparableEmail).optional(),
  SANDBOX: z.enum(sandboxModes, { error: `must be one of ${sandboxModes.join(', ')}` }).default('auto'),
  FFMPEG_PATH: z.string().min(1).optional(),
  PATH: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
})

/** The `.env` file in the working directory, overridden by the process's environment. */
export function readEnvironment(file = '.env'): Record<string, string | undefined> {
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  return { ...fromFile, ...process.env }
}

/** Of commands for the library of another server. */
export interface RemoteSettings {
  url: string | undefined
  /** An app password. */
  password: string | undefined
  /** Where they remember what they have not finished. */
  stateFolder: string
}

export function readRemoteSettings(environment: Record<string, string | undefined>): RemoteSettings {
  return {
    url: environment.HEIRLOOM_URL,
    password: environment.HEIRLOOM_PASSWORD,
    stateFolder: join(environment.XDG_STATE_HOME ?? join(homedir(), '.local', 'state'), 'heirloom'),
  }
}

export function readConfig(environment: Record<string, string | undefined>): Config {
  const env = parseEnvironment(environment)
  const publicUrl = bareAddress('PUBLIC_URL', env.PUBLIC_URL ?? `http://${hostInUrl(env.HOST)}:${env.PORT}`)
  const s3 = store(env)
  if (env.ROLE !== 'all') refuseLonelyRole(env, s3)
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl,
    dataFolder: resolve(env.DATA_DIR),
    fileAccess: env.FILE_ACCESS,
    newLibrary: env.NEW_LIBRARY === 'true',
    databaseUrl: env.DATABASE_URL,
    s3,
    role: env.ROLE,
    uploadsUrl: env.UPLOADS_URL === undefined ? undefined : bareAddress('UPLOADS_URL', env.UPLOADS_URL),
    transcoderCoreUrl: env.TRANSCODER_CORE_URL === undefined ? undefined : new URL(env.TRANSCODER_CORE_URL),
    linkKeys: env.LINK_KEY,
    mail: mailSettings(env),
    metricsToken: env.METRICS_TOKEN,
    oidc: provider(env, publicUrl),
    adminEmails: env.ADMIN_EMAILS,
    approvedEmails: env.APPROVED_EMAILS,
    title: env.APP_TITLE,
    contactName: env.CONTACT_NAME,
    adminName: env.ADMIN_NAME,
    trustedProxies: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    trashDays: env.TRASH_DAYS,
    auditDays: env.AUDIT_DAYS,
    homeTimeZone: env.HOME_TIMEZONE,
    inboxFolder: env.INBOX_DIR === undefined ? undefined : resolve(env.INBOX_DIR),
    libraryFolders: env.LIBRARY_DIRS.map(folder => resolve(folder)),
    foldersOwner: env.FOLDERS_OWNER,
    ffmpegPath: env.FFMPEG_PATH,
    sandbox: env.SANDBOX,
    searchPath: env.PATH,
  }
}

function parseEnvironment(environment: Record<string, string | undefined>): z.output<typeof Environment> {
  // An empty line in .env means "not set".
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))
  const result = Environment.safeParse(set)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new ConfigError(`${issue?.path[0]?.toString() ?? 'The configuration'} ${issue?.message ?? 'is wrong'}.`)
}

function bareAddress(name: string, address: string): URL {
  const url = new URL(address)
  if (url.pathname === '/' && !url.search && !url.hash) return url
  throw new ConfigError(`${name} must be a bare address, with no path behind it.`)
}

function mailSettings({ SMTP_URL, MAIL_FROM, APP_TITLE }: z.output<typeof Environment>): Config['mail'] {
  if (SMTP_URL && !MAIL_FROM) throw new ConfigError('MAIL_FROM must be set, since SMTP_URL is.')
  if (MAIL_FROM && !SMTP_URL) throw new ConfigError('SMTP_URL must be set, since MAIL_FROM is.')
  return SMTP_URL && MAIL_FROM && { ...SMTP_URL, from: { ...MAIL_FROM, name: MAIL_FROM.name || APP_TITLE } }
}

/** Either all required S3 settings or none. */
function store(env: z.output<typeof Environment>): S3Settings | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  const needed = { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }
  const set = Object.entries({ ...needed, S3_ENDPOINT: env.S3_ENDPOINT, S3_PUBLIC_ENDPOINT: env.S3_PUBLIC_ENDPOINT })
  const [given] = set.find(([, value]) => value !== undefined) ?? []
  if (!given) return undefined
  if (!bucket || !accessKeyId || !secretAccessKey) {
    const [missing] = Object.entries(needed).find(([, value]) => value === undefined) ?? []
    throw new ConfigError(`${missing} must be set, since ${given} is.`)
  }
  const endpoint = env.S3_ENDPOINT === undefined ? undefined : bareAddress('S3_ENDPOINT', env.S3_ENDPOINT)
  const seen = env.S3_PUBLIC_ENDPOINT
  return {
    endpoint,
    publicEndpoint: seen === undefined ? undefined : bareAddress('S3_PUBLIC_ENDPOINT', seen),
    region: env.S3_REGION,
    bucket,
    accessKeyId,
    secretAccessKey,
    // Self-hosted stores rarely have a host name per bucket; Amazon requires it.
    forcePathStyle: env.S3_FORCE_PATH_STYLE === undefined ? endpoint !== undefined : env.S3_FORCE_PATH_STYLE === 'true',
  }
}

/** Servers with different roles must share a database and a bucket. */
function refuseLonelyRole(env: z.output<typeof Environment>, s3: S3Settings | undefined): void {
  const missing = env.DATABASE_URL === undefined ? 'DATABASE_URL' : s3 ? undefined : 'S3_BUCKET'
  if (missing) throw new ConfigError(`${missing} must be set, since ROLE is ${env.ROLE}: servers share both.`)
}

function provider(env: z.output<typeof Environment>, publicUrl: URL): Config['oidc'] {
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  if (clientId && !clientSecret) throw new ConfigError('OIDC_CLIENT_SECRET must be set, since OIDC_CLIENT_ID is.')
  if (clientSecret && !clientId) throw new ConfigError('OIDC_CLIENT_ID must be set, since OIDC_CLIENT_SECRET is.')
  if (!clientId || !clientSecret) {
    refuseDemoInTheOpen('HOST', env.HOST)
    refuseDemoInTheOpen('PUBLIC_URL', publicUrl.hostname)
    return undefined
  }
  const issuer = new URL(env.OIDC_ISSUER)
  if (issuer.protocol === 'http:' && !isLoopbackHost(issuer.hostname)) {
    throw new ConfigError('OIDC_ISSUER must begin with https:// unless it runs on this very machine.')
  }
  const verifiedAsText = env.OIDC_TEXT_VERIFIED_ISSUERS.some(named => new URL(named).href === issuer.href)
  return { issuer, clientId, clientSecret, verifiedAsText }
}

function refuseDemoInTheOpen(name: string, host: string): void {
  if (isLoopbackHost(host)) return
  throw new ConfigError(
    `${name} is ${host}, which others can reach, and no identity provider is set: the demo sign-in lets anyone in and runs on this machine alone. Set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.`,
  )
}

function hostInUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}

/** The message names no part of the value, which is a secret. */
function readLinkKey(text: string, context: z.RefinementCtx): Buffer {
  const key = parseKey(text)
  if (key) return key
  context.addIssue('must be 32 random bytes in base64 or hex (openssl rand -base64 32), or several separated by commas')
  return z.NEVER
}

const MOST_PROXIES = 10

/** `true` is one proxy; a number is a chain of that many; a list contains their addresses or networks. */
function readTrustedProxies(value: string, context: z.RefinementCtx): TrustedProxies {
  const text = value.trim().toLowerCase()
  if (text === 'true' || text === 'false') return { hops: text === 'true' ? 1 : 0 }
  if (/^\d+$/.test(text) && Number(text) <= MOST_PROXIES) return { hops: Number(text) }
  const addresses = text.split(/[\s,;]+/).filter(Boolean)
  if (addresses.length > 0 && addresses.every(address => parseNetwork(address))) return { addresses }
  context.addIssue(
    `must be false, true (one proxy), a number of proxies up to ${MOST_PROXIES}, or their addresses such as 10.0.0.2, 172.18.0.0/16`,
  )
  return z.NEVER
}
