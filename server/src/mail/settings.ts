import { isLoopbackHost } from '../kit/ip-addresses.ts'

/** How this server sends mails. */
export interface MailSettings {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS if the mail server offers it. */
  secure: boolean
  auth: { user: string; pass: string } | undefined
  /** Whether to refuse to send without TLS. */
  requireTLS: boolean
  from: MailAddress
}

export interface MailAddress {
  name: string
  address: string
}

/** Undefined if it is no address of a mail server. It holds a password, so no message may name it. */
export function parseSmtpUrl(text: string): Omit<MailSettings, 'from'> | undefined {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname) || url.search || url.hash) return undefined
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const user = decoded(url.username)
  const pass = decoded(url.password)
  if (user === undefined || pass === undefined) return undefined
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    auth: user === '' ? undefined : { user, pass },
    // A password must not be readable on the way.
    requireTLS: user !== '' && !isLoopbackHost(host),
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign of a password that was not encoded.
    return undefined
  }
}

/** Of `Our photos <photos@example.com>`, or an address alone. */
export function parseSender(text: string): MailAddress | undefined {
  const [, name = '', address = text.trim()] = /^\s*"?([^<>"]*?)"?\s*<([^<>]*)>\s*$/.exec(text) ?? []
  return isSendable(address) && !/\p{Cc}/u.test(name) ? { name, address } : undefined
}

/**
 * Whether a mail can be sent to an address. Addresses come from identity providers, so nothing is allowed that separates
 * addresses or lines, nor quoted forms, which hardly anybody has.
 */
export function isSendable(address: string): boolean {
  return address.length <= 254 && /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u.test(address)
}
