import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { createAlbum } from '#contract/albums.ts'
import { DAY, rateLimits } from '#contract/limits.ts'
import { copyLink, createAlbumLink, listLinks, quickLink, showLink, updateLink } from '#contract/links.ts'
import { deleteMedia } from '#contract/media.ts'
import { giveRole, revokePerson } from '#contract/people.ts'
import { linkKeyFile } from '#server/kit/token-encryption.ts'
import { guestOf, makeLink, makeUploadLink, openedBy, photo, withToken } from '../../test/fixtures/guests.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { onBothEngines, onOneEngine, type SignedIn, startOfWindow } from '../../test/library.ts'

const MINUTE = 60_000
const show = (person: SignedIn, id: number) => person.call(showLink, { params: { id } })
const addressIn = async (person: SignedIn, id: number) =>
  (await person.call(listLinks, { query: {} })).find(link => link.id === id)?.address

onBothEngines('the address of a link', library => {
  test('is shown again to the person who made it and to admins, and each time is in the activity', async () => {
    const [ben, rose, ada] = [
      await memberOf(library()),
      await memberOf(library(), 'rose'),
      await memberOf(library(), 'ada'),
    ]
    const album = await rose.call(createAlbum, { body: { title: 'Lake', fileIds: [await photo(library())] } })
    const link = withToken(await ben.call(createAlbumLink, { params: { id: album.id }, body: {} }))
    expect(link.address).toBe('stored')
    expect(await show(ben, link.id)).toEqual({ url: link.url })
    expect(await show(ada, link.id)).toEqual({ url: link.url })
    const uploads = await makeUploadLink(ben, album.id)
    expect(await show(ben, uploads.id)).toEqual({ url: uploads.url })

    // The person who made the album may end the link, but does not get its address: as if there were no such link.
    expect((await rose.call(listLinks, { query: {} })).map(({ id }) => id)).toContain(link.id)
    const missing = await show(rose, 999_999).catch(error => error)
    expect(await show(rose, link.id).catch(error => error)).toEqual(missing)
    expect(missing).toMatchObject({ status: 404 })
    const viewer = await library().newViewer()
    await expect(show(viewer, link.id)).rejects.toMatchObject({ status: 403 })

    const lines = await ada.call(listActivity, { query: { limit: 20 } })
    const shown = lines.filter(({ act }) => act === 'link.show')
    expect(shown.map(({ actor }) => actor?.name)).toEqual(['Ben Okafor', 'Ada Okafor', 'Ben Okafor'])
    expect(shown[2]).toMatchObject({ before: { name: 'Lake' } })
  })

  test('is in no list, answer, database or log in readable form', async () => {
    const ben = await memberOf(library())
    const link = await makeLink(ben, { fileIds: [await photo(library())] })
    const answer = await ben.fetch(`/api/links/${link.id}/show`, { method: 'POST' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(JSON.stringify(await ben.call(listLinks, { query: {} }))).not.toContain(link.token)
    const [row] = await library().rows(`select * from links where id = ${link.id}`)
    expect(row?.encrypted_token).toMatch(/^v1\./)
    expect(JSON.stringify(row)).not.toContain(link.token)
    expect(library().log.join()).not.toContain(link.token)
    expect(library().log.join()).not.toContain(String(row?.encrypted_token))
    const audit = await library().rows('select * from audit_log')
    expect(JSON.stringify(audit)).not.toContain(link.token)
  })

  test('is deleted when the link ends, and one that is opened again works but cannot be shown again', async () => {
    const ben = await memberOf(library())
    const link = await makeLink(ben, { fileIds: [await photo(library())] })
    const end = (ended: boolean) => ben.call(updateLink, { params: { id: link.id }, body: { ended } })
    await end(true)
    await expect(show(ben, link.id)).rejects.toMatchObject({ status: 404 })
    const [row] = await library().rows(`select encrypted_token from links where id = ${link.id}`)
    expect(row?.encrypted_token).toBeNull()
    expect((await end(false)).address).toBe('not_stored')
    await expect(show(ben, link.id)).rejects.toMatchObject({ status: 409 })
    expect((await guestOf(library(), link).open()).status).toBe(200)
  })

  test('is deleted for all links of a person who loses access, and hidden from one who may share no more', async () => {
    const member = await library().newMember()
    const memberId = await library().idOf(member.person)
    const link = await makeLink(member, { fileIds: [await photo(library())] })
    const ada = await library().admin()
    await ada.call(giveRole, { params: { id: memberId }, body: { role: 'viewer' } })
    await expect(show(member, link.id)).rejects.toMatchObject({ status: 403 })
    expect(await show(ada, link.id)).toEqual({ url: link.url })
    await ada.call(revokePerson, { params: { id: memberId } })
    const [row] = await library().rows(`select encrypted_token from links where id = ${link.id}`)
    expect(row?.encrypted_token).toBeNull()
  })

  test('of a link from before is not known; another like it can be made', async () => {
    const ben = await memberOf(library())
    const [one, two] = [await photo(library()), await photo(library())]
    const old = await makeLink(ben, { fileIds: [one, two], title: 'Lisbon', password: 'blue boat', originals: true })
    await library().rows(`update links set encrypted_token = null where id = ${old.id}`)
    expect(await addressIn(ben, old.id)).toBe('not_stored')
    await expect(show(ben, old.id)).rejects.toMatchObject({ status: 409 })
    const copy = withToken(await ben.call(copyLink, { params: { id: old.id } }))
    expect(copy).toMatchObject({
      title: 'Lisbon',
      file_count: 2,
      originals: true,
      has_password: true,
      address: 'stored',
    })
    expect(copy.expires_at).toBe(old.expires_at)
    for (const link of [old, copy]) expect((await guestOf(library(), link).open('blue boat')).status).toBe(200)
    const stranger = await library().newMember()
    await expect(stranger.call(copyLink, { params: { id: old.id } })).rejects.toMatchObject({ status: 404 })
  })

  test('of one tap in the viewer is used again for the same photo and person', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const [one, two] = [await photo(library()), await photo(library())]
    const quick = (person: SignedIn, fileId: number) => person.call(quickLink, { body: { fileId } })
    const minutesLeft = ({ expires_at }: { expires_at: string | null }) =>
      Math.round((Date.parse(expires_at ?? '') - library().now()) / MINUTE)
    const [first, twice] = await Promise.all([quick(ben, one), quick(ben, one)])
    expect(first.url).toBe(twice.url)
    expect(first).toMatchObject({ originals: false, has_password: false, file_count: 1, title: null })
    expect(minutesLeft(first)).toBe((30 * DAY) / MINUTE)
    const urls = [await quick(ben, two), await quick(rose, one)].map(({ url }) => url)
    expect(new Set([first.url, ...urls]).size).toBe(3)
    // A link that was made in the dialog is never used for this.
    const chosen = await makeLink(ben, { fileIds: [two], originals: true })
    expect((await quick(ben, two)).url).not.toBe(chosen.url)

    library().pass(10 * DAY)
    const again = await quick(await library().signInAs('ben'), one)
    expect(again.url).toBe(first.url)
    expect(minutesLeft(again)).toBe((30 * DAY) / MINUTE)

    // Not once it gives more than the default, has ended or expired.
    const now = await library().signInAs('ben')
    await now.call(updateLink, { params: { id: first.id }, body: { originals: true } })
    const second = await quick(now, one)
    expect(second.url).not.toBe(first.url)
    expect(second.originals).toBe(false)
    await now.call(updateLink, { params: { id: second.id }, body: { ended: true } })
    const third = await quick(now, one)
    expect([first.url, second.url]).not.toContain(third.url)
    library().pass(31 * DAY)
    const today = await library().signInAs('ben')
    expect((await quick(today, one)).url).not.toBe(third.url)

    await today.call(deleteMedia, { params: { id: one } })
    await expect(quick(today, one)).rejects.toMatchObject({ status: 404 })
    await expect(quick(await library().newViewer(), two)).rejects.toMatchObject({ status: 403 })
  })
})

onOneEngine('the key of links', library => {
  test('is a file beside the database that only the server may read', async () => {
    const ben = await memberOf(library())
    await makeLink(ben, { fileIds: [await photo(library())] })
    const file = join(library().config.dataFolder, linkKeyFile)
    if (library().config.s3) return expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const key = readFileSync(file, 'utf8').trim()
    expect(JSON.stringify(await library().rows('select * from settings'))).not.toContain(key)
  })

  test('may be lost or another: links work, cannot be shown again, and are shown again once it is back', async () => {
    const key = () => randomBytes(32).toString('base64')
    const [first, second] = [key(), key()]
    await library().restart({ LINK_KEY: first })
    const link = await makeLink(await library().signInAs('ben'), { fileIds: [await photo(library())] })
    await library().restart({ LINK_KEY: second })
    const ben = await library().signInAs('ben')
    expect(await addressIn(ben, link.id)).toBe('other_key')
    await expect(show(ben, link.id)).rejects.toMatchObject({ status: 409 })
    await openedBy(library(), link)
    const newer = await makeLink(ben, { fileIds: [await photo(library())] })
    await library().restart({ LINK_KEY: `${second}, ${first}` })
    const later = await library().signInAs('ben')
    expect(await show(later, link.id)).toEqual({ url: link.url })
    expect(await show(later, newer.id)).toEqual({ url: newer.url })
    await library().restart({ LINK_KEY: undefined })
    rmSync(join(library().config.dataFolder, linkKeyFile), { force: true })
    expect(await addressIn(await library().signInAs('ben'), link.id)).toBe('other_key')
  })

  test('does not open a text that was changed, or moved from another link', async () => {
    const ben = await memberOf(library())
    const [one, two] = [
      await makeLink(ben, { fileIds: [await photo(library())] }),
      await makeLink(ben, { fileIds: [await photo(library())] }),
    ]
    await library().rows(
      `update links set encrypted_token = (select encrypted_token from links where id = ${one.id}) where id = ${two.id}`,
    )
    await expect(show(ben, two.id)).rejects.toMatchObject({ status: 409 })
    await openedBy(library(), two)
    expect(library().log.join()).not.toContain(one.token)
  })

  test('one person may have a limited number of addresses shown', async () => {
    startOfWindow(library())
    const ben = await memberOf(library())
    const link = await makeLink(ben, { fileIds: [await photo(library())] })
    for (let count = 0; count < rateLimits.linksShown; count++) await show(ben, link.id)
    await expect(show(ben, link.id)).rejects.toMatchObject({ status: 429 })
  })
})
