import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unsubscribePath } from '#contract/mail.ts'
import type { Database } from '../db/database.ts'
import { installationSecret } from '../db/secrets.ts'
import { AppError } from '../kit/errors.ts'
import { escapeHtml } from '../kit/escape-html.ts'
import { localeOf, textsIn } from '../kit/messages.ts'
import { idInToken, idToken } from '../kit/tokens.ts'
import { endDigest } from './recipients.sql.ts'

interface Deps {
  db: Database
  publicUrl: URL
  config: { title: string }
}

/** The token of a person ends their digests and does nothing else. It needs no session and does not expire. */
const purpose = 'digest'

/** For links in mails. */
export function createUnsubscribeUrl({ db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>) {
  return async (personId: number): Promise<string> => {
    const url = new URL(unsubscribePath, publicUrl)
    url.searchParams.set('token', idToken(await unsubscribeSecret(db), purpose, personId))
    return url.href
  }
}

function unsubscribeSecret(db: Database): Promise<Buffer> {
  return installationSecret(db, 'mail-unsubscribe')
}

const MOST_BYTES = 1_024

/**
 * One click in a mail program is a POST (RFC 8058). A GET only asks, since programs that check links for viruses open them.
 * Also served when no mails are configured any more: there are mails of before.
 */
export async function unsubscribeRoutes(app: FastifyInstance, { db, config }: Deps): Promise<void> {
  const secret = await unsubscribeSecret(db)
  await app.register(async scope => {
    // Of what is sent, only the token in the address counts.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, _body, done) => done(null))

    scope.get(unsubscribePath, { config: { cost: 3 } }, async (request, reply) => {
      const isWhole = idInToken(secret, purpose, tokenIn(request)) !== undefined
      return reply.headers(pageHeaders).send(page(config.title, request, isWhole ? 'ask' : 'incomplete'))
    })

    scope.post(unsubscribePath, { config: { cost: 3 }, bodyLimit: MOST_BYTES }, async (request, reply) => {
      const personId = idInToken(secret, purpose, tokenIn(request))
      if (personId === undefined) throw new AppError('not_found', 'mail.unsubscribeLink')
      await endDigest(db.query, personId)
      return reply.headers(pageHeaders).send(page(config.title, request, 'done'))
    })
  })
}

function tokenIn({ query }: FastifyRequest): string | undefined {
  const { token } = query as { token?: unknown }
  return typeof token === 'string' ? token : undefined
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}

/** In the language that the browser asks for. The form is sent to the address of the page itself. */
function page(library: string, request: FastifyRequest, what: 'ask' | 'done' | 'incomplete'): string {
  const locale = localeOf(request)
  const { unsubscribe: texts } = textsIn('mail', locale)
  const text = what === 'ask' ? texts.ask({ library }) : texts[what]
  const act = `<form method="post"><button>${escapeHtml(texts.act)}</button></form>`
  return `<!doctype html>
<html lang="${locale}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(`${texts.title} · ${library}`)}</title>
  <style>${style}</style>
</head>
<body>
  <main>
    <h1>${escapeHtml(text)}</h1>
    ${what === 'incomplete' ? '' : `<p>${escapeHtml(texts.explain)}</p>`}
    ${what === 'ask' ? act : ''}
    <p><a href="/settings">${escapeHtml(texts.open({ library }))}</a></p>
  </main>
</body>
</html>`
}

const style = `
  :root { color-scheme: light dark; --raised: light-dark(#fffdfa, #2a231e); --ink: light-dark(#33291f, #efe6da);
    --soft: light-dark(#6a5d50, #bcae9f); --accent: light-dark(#9c4a2b, #e79a78); --on-accent: light-dark(#fff, #1f1a16); }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; color: var(--ink);
    background: light-dark(#f6f2ea, #1f1a16); font: 16px/1.5 'Segoe UI', system-ui, sans-serif; }
  main { width: min(440px, 100%); padding: 32px; background: var(--raised); border-radius: 10px; }
  h1 { font: 600 22px/1.3 Georgia, serif; margin: 0 0 8px; overflow-wrap: anywhere; }
  p { margin: 0 0 16px; color: var(--soft); }
  a { display: inline-block; padding: 10px 0; color: var(--accent); }
  button { min-height: 44px; padding: 8px 20px; margin: 0 0 16px; border: 0; border-radius: 8px; font: inherit; font-weight: 600;
    color: var(--on-accent); background: var(--accent); cursor: pointer; }
  :is(a, button):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`
