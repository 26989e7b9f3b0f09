import type { Answer } from '#contract/endpoint.ts'
import { DAY, links as limits, rateLimits } from '#contract/limits.ts'
import type { CreatedLink, showLink as showLinkEndpoint } from '#contract/links.ts'
import { can } from '#contract/rights.ts'
import { recordAudit } from '../audit/public.ts'
import type { RateLimiter } from '../kit/rate-limiter.ts'
import { decryptOrThrow } from '../kit/token-encryption.ts'
import { lockActiveMedia, noSuchFile } from '../media/public.ts'
import {
  findLink,
  type LinkScope,
  type LinkWithAlbum,
  selectFileIds,
  selectQuickLinks,
  updateLinkRow,
} from './links.sql.ts'
import {
  addressOf,
  auditEntry,
  type Creator,
  type LinkDeps,
  makeLink,
  noSuchLink,
  presentMade,
  recordLinkChange,
  tokenSubject,
} from './links.ts'

type ShowDeps = Pick<LinkDeps, 'db' | 'clock' | 'tokenEncryption' | 'publicUrl'> & { limiter: RateLimiter }

/** The person who made a link, and admins. Who made its album may end it, but has no part in who gets its address. */
function showableTo({ id, role }: Creator): LinkScope {
  return can(role, 'links.manage-others') ? 'anyone' : { personId: id, ofTheirAlbums: false }
}

export async function showLink(deps: ShowDeps, caller: Creator, id: number): Promise<Answer<typeof showLinkEndpoint>> {
  const { db, clock, tokenEncryption, limiter } = deps
  await limiter.hit(`link-shown:account:${caller.id}`, rateLimits.linksShown)
  const token = await db.transaction(async tx => {
    const link = await findLink(tx, showableTo(caller), id)
    if (!link) throw noSuchLink()
    const found = decryptOrThrow(tokenEncryption, link.encrypted_token, tokenSubject(id))
    await recordAudit(tx, [auditEntry({ link, actorId: caller.id, act: 'link.show', at: clock() })])
    return found
  })
  return { url: addressOf(deps, id, token) }
}

/** The link of one tap on Share: the one that this person has made for the file before, or a new one. */
export async function quickLink(deps: LinkDeps, caller: Creator, fileId: number): Promise<CreatedLink> {
  const { db, clock, tokenEncryption } = deps
  const made = await db.transaction(async tx => {
    // Two taps at the same moment make one link.
    await db.advisoryLock(tx, 'admins')
    if ((await lockActiveMedia(db, tx, [fileId])).length === 0) throw noSuchFile()
    const now = clock()
    const expires_at = now + limits.defaultDays * DAY
    for (const link of await selectQuickLinks(tx, { personId: caller.id, fileId, now })) {
      const token = link.encrypted_token && tokenEncryption.decrypt(link.encrypted_token, tokenSubject(link.id))
      if (token === null) continue
      const change = link.expires_at === null ? {} : { expires_at: Math.max(link.expires_at, expires_at) }
      if (link.expires_at !== null) await updateLinkRow(tx, link.id, change)
      await recordLinkChange(db, tx, { link, actorId: caller.id, act: 'link.show', at: now })
      return { link: { ...link, ...change }, token }
    }
    const values = { title: null, password_hash: null, originals: 0, max_files: null, max_bytes: null, quick: 1 }
    return makeLink(deps, tx, caller, { fileIds: [fileId] }, { ...values, created_at: now, expires_at })
  })
  return presentMade(deps, made)
}

/** Instead of a link that cannot be shown again. That one keeps working. */
export async function copyLink(deps: LinkDeps, caller: Creator, id: number): Promise<CreatedLink> {
  const { db, clock } = deps
  const made = await db.transaction(async tx => {
    const link = await findLink(tx, showableTo(caller), id)
    if (!link) throw noSuchLink()
    const { title, password_hash, originals, captions, max_files, max_bytes, quick, expires_at } = link
    const created_at = clock()
    const isOver = expires_at !== null && expires_at <= created_at
    return makeLink(deps, tx, caller, await shownBy(link), {
      ...{ title, password_hash, originals, captions, max_files, max_bytes, quick },
      created_at,
      expires_at: isOver ? created_at + limits.defaultDays * DAY : expires_at,
    })

    async function shownBy({ album_id, upload_album_id }: LinkWithAlbum) {
      if (album_id !== null) return { albumId: album_id }
      if (upload_album_id !== null) return { uploadAlbumId: upload_album_id }
      return { fileIds: await selectFileIds(tx, id) }
    }
  })
  return presentMade(deps, made)
}
