import { expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { addToAlbum, createAlbum, deleteAlbum, removeFromAlbum, updateAlbum } from '#contract/albums.ts'
import { changeDates } from '#contract/dates.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { DAY, links as limits, rateLimits } from '#contract/limits.ts'
import { createAlbumLink, createLink, listLinks, updateLink } from '#contract/links.ts'
import { deleteMedia } from '#contract/media.ts'
import { giveRole, reapprovePerson, revokePerson } from '#contract/people.ts'
import { restoreFiles } from '#contract/trash.ts'
import { Browser } from '../../test/browser.ts'
import { type Guest, guestOf, makeLink, openedBy, photo, withToken } from '../../test/fixtures/guests.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { onOneEngine, type SignedIn, startOfWindow } from '../../test/library.ts'

/** What each of the routes answers to this guest about this file. */
async function statuses(guest: Guest, file: number): Promise<number[]> {
  const paths = ['/files', `/files/${file}/thumbnail`, `/files/${file}/desktop`, '/zip']
  return Promise.all(paths.map(async path => (await guest.fetch(path)).status))
}

const all = (status: number) => [status, status, status, status]

onOneEngine('a link for people without an account', library => {
  test('lists only the files that a guest asks for, and none that it does not show', async () => {
    const ben = await memberOf(library())
    const [one, two, other] = [await photo(library()), await photo(library()), await photo(library())]
    const guest = await openedBy(library(), await makeLink(ben, { fileIds: [one, two] }))
    const asked = await guest.fetch(`/files?ids=${two},${other}`)
    expect(await asked.json()).toMatchObject({ files: [{ id: two }] })
    expect((await guest.fetch('/files?ids=all')).status).toBe(422)
  })

  test('shows its files and no others, and counts each visitor once a day', async () => {
    const ben = await memberOf(library())
    const [shown, other] = [await photo(library()), await photo(library())]
    const link = await makeLink(ben, { fileIds: [shown], title: 'Lisbon' })
    expect(link).toMatchObject({ title: 'Lisbon', file_count: 1, has_password: false, originals: false, views: 0 })
    expect(Date.parse(link.expires_at ?? '') - Date.parse(link.created_at)).toBe(30 * DAY)

    const guest = guestOf(library(), link)
    expect(await statuses(guest, shown)).toEqual(all(403))
    expect((await guest.open()).answer).toEqual({
      link: {
        id: link.id,
        title: 'Lisbon',
        file_count: 1,
        by_day: true,
        expires_at: link.expires_at,
        originals: false,
        uploads: null,
      },
    })
    await guest.open()
    expect(await statuses(guest, shown)).toEqual(all(200))
    const { files } = await guest.files()
    expect(files).toEqual([expect.objectContaining({ id: shown, file_type: 'image', pictures: true })])
    expect(JSON.stringify(files)).not.toMatch(/Secret|ben/i)
    expect((await guest.fetch(`/files/${other}/thumbnail`)).status).toBe(404)
    expect((await guest.fetch(`/files/${shown}/original`)).status).toBe(403)
    expect((await guest.fetch('/zip?originals=true')).status).toBe(403)

    library().pass(limits.guestSessionTtl + 1_000)
    expect(await statuses(guest, shown)).toEqual(all(403))
    await guest.open()
    const [listed] = await ben.call(listLinks, { query: { limit: 1 } })
    expect(listed).toMatchObject({ id: link.id, views: 2, last_viewed_at: expect.any(String) })
    // To recognise a link without a title.
    expect(listed).toMatchObject({ first_file: { name: expect.any(String), thumbnail_url: expect.any(String) } })
  })

  test('opens nothing else: not with its own cookie, nor with its secret', async () => {
    const ben = await memberOf(library())
    const [one, two] = [await photo(library()), await photo(library())]
    const [first, second] = [await makeLink(ben, { fileIds: [one] }), await makeLink(ben, { fileIds: [two] })]
    const guest = await openedBy(library(), first)
    const cookie = `heirloom_link=${guest.browser.cookie('heirloom_link')}`
    for (const path of [`/shared/${second.id}/files`, `/shared/${second.id}/files/${two}/thumbnail`]) {
      expect((await library().anyone.fetch(path, { headers: { cookie } })).status).toBe(403)
    }
    expect((await library().anyone.fetch('/api/media', { headers: { cookie } })).status).toBe(401)
    expect((await guestOf(library(), { id: second.id, token: first.token }).open()).status).toBe(404)
    expect(
      (await library().anyone.fetch(`/api/media/${one}`, { headers: { authorization: `Bearer ${first.token}` } }))
        .status,
    ).toBe(401)
  })

  test('ends at once, and only the person who ended it can take that back', async () => {
    const [ben, rose, ada] = [
      await memberOf(library()),
      await memberOf(library(), 'rose'),
      await memberOf(library(), 'ada'),
    ]
    const file = await photo(library())
    const link = await makeLink(ben, { fileIds: [file] })
    const guest = await openedBy(library(), link)
    const change = (person: SignedIn, ended: boolean) =>
      person.call(updateLink, { params: { id: link.id }, body: { ended } })
    await expect(change(rose, true)).rejects.toMatchObject({ status: 404 })

    expect((await change(ben, true)).ended_at).not.toBeNull()
    expect(await statuses(guest, file)).toEqual(all(404))
    expect((await guest.open()).status).toBe(404)
    expect((await ben.call(listLinks, { query: {} })).map(({ id }) => id)).not.toContain(link.id)
    expect((await change(ben, false)).ended_at).toBeNull()
    expect(await statuses(guest, file)).toEqual(all(200))

    await change(ada, true)
    await expect(change(ben, false)).rejects.toMatchObject({ status: 409 })
    const lines = await ada.call(listActivity, { query: { limit: 10 } })
    expect(lines.slice(0, 3).map(({ act }) => act)).toEqual(['link.end', 'link.reopen', 'link.end'])
    expect(JSON.stringify(lines)).not.toContain(link.token)
  })

  test('is changed by who made it; one to an album is listed for and ended by who made the album', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const file = await photo(library())
    const album = await rose.call(createAlbum, { body: { title: 'Lake', fileIds: [file] } })
    const link = withToken(await ben.call(createAlbumLink, { params: { id: album.id }, body: {} }))
    const [guest, other] = [await openedBy(library(), link), guestOf(library(), link)]
    const change = (person: SignedIn, body: CallInput<typeof updateLink>['body']) =>
      person.call(updateLink, { params: { id: link.id }, body })
    expect(await change(ben, { title: 'The lake', originals: true, days: null })).toMatchObject({
      title: 'The lake',
      originals: true,
      expires_at: null,
      has_password: false,
    })
    expect(await statuses(guest, file)).toEqual(all(200))
    const undo = { title: null, originals: false, expected: { title: 'The lake', originals: true } }
    expect(await change(ben, undo)).toMatchObject({ title: null, originals: false })
    await expect(change(ben, undo)).rejects.toMatchObject({ status: 409 })
    // Another password is asked of those who have opened it already.
    expect(await change(ben, { password: 'blue boat' })).toMatchObject({ title: null, has_password: true })
    expect(await statuses(guest, file)).toEqual(all(403))
    expect((await guest.open()).answer).toEqual({ link: null })
    expect((await other.open('blue boat')).status).toBe(200)
    await change(ben, { password: null })
    expect(await statuses(other, file)).toEqual(all(403))
    expect((await other.open()).answer).toMatchObject({ link: { title: 'Lake' } })

    expect((await rose.call(listLinks, { query: {} })).map(({ id }) => id)).toContain(link.id)
    await expect(change(rose, { title: 'Mine' })).rejects.toMatchObject({ status: 403 })
    expect((await change(rose, { ended: true })).ended_at).not.toBeNull()
    await expect(change(await library().newMember(), { ended: true })).rejects.toMatchObject({ status: 404 })
    const lines = await (await memberOf(library(), 'ada')).call(listActivity, { query: { limit: 20 } })
    const acts = lines.map(({ act }) => act).filter(act => act.startsWith('link.'))
    expect(acts.slice(0, 2)).toEqual(['link.end', 'link.update'])
  })

  test('of somebody who is a viewer by now can be ended by them, and not opened again', async () => {
    const [viewer, ada] = [await library().newMember(), await memberOf(library(), 'ada')]
    const link = await makeLink(viewer, { fileIds: await insertMedia(library(), [{ name: 'a.jpg' }]) })
    await ada.call(giveRole, { params: { id: await library().idOf(viewer.person) }, body: { role: 'viewer' } })
    expect((await viewer.call(listLinks, { query: {} })).map(({ id }) => id)).toEqual([link.id])
    const change = (ended: boolean) => viewer.call(updateLink, { params: { id: link.id }, body: { ended } })
    expect((await change(true)).ended_at).not.toBeNull()
    await expect(change(false)).rejects.toMatchObject({ status: 403 })
  })

  test('expires', async () => {
    const ben = await library().newMember()
    const file = await photo(library())
    const [short, endless] = [
      await makeLink(ben, { fileIds: [file], days: 1 }),
      await makeLink(ben, { fileIds: [file], days: null }),
    ]
    library().pass(DAY - 60_000)
    const guest = await openedBy(library(), short)
    library().pass(120_000)
    expect(await statuses(guest, file)).toEqual(all(404))
    expect((await guest.open()).status).toBe(404)
    expect((await guestOf(library(), endless).open()).status).toBe(200)
  })

  test('shows nothing of a deleted file, and again what is restored', async () => {
    const ben = await memberOf(library())
    const file = await photo(library())
    const link = await makeLink(ben, { fileIds: [file] })
    const guest = await openedBy(library(), link)
    await ben.call(deleteMedia, { params: { id: file } })
    expect(await statuses(guest, file)).toEqual([200, 404, 404, 404])
    expect(await guest.files()).toMatchObject({ link: { file_count: 0 }, files: [] })
    await ben.call(restoreFiles, { body: { fileIds: [file] } })
    expect(await statuses(guest, file)).toEqual(all(200))
  })

  test('ends with the access of the person who made it, for good', async () => {
    const [guestOfFamily, ada] = [await library().newMember(), await memberOf(library(), 'ada')]
    const file = await photo(library())
    const link = await makeLink(guestOfFamily, { fileIds: [file] })
    const guest = await openedBy(library(), link)
    const id = await library().idOf(guestOfFamily.person)
    // Its password takes a while to hash.
    const late = makeLink(guestOfFamily, { fileIds: [file], password: 'Lisbon 1755' }).catch(() => {})
    await ada.call(revokePerson, { params: { id } })
    expect(await statuses(guest, file)).toEqual(all(404))
    expect(await ada.call(listActivity, { query: { limit: 10 } })).toContainEqual(
      expect.objectContaining({ act: 'link.end', actor: expect.objectContaining({ name: ada.person.name }) }),
    )
    await late
    expect(await library().rows(`select id from links where created_by = ${id} and ended_at is null`)).toEqual([])
    await ada.call(reapprovePerson, { params: { id } })
    expect(await statuses(guest, file)).toEqual(all(404))
  })

  test('shows what an album holds when a guest looks, in its order, until the album is deleted', async () => {
    const ben = await memberOf(library())
    const [one, two, three] = [await photo(library()), await photo(library()), await photo(library())]
    const album = await ben.call(createAlbum, { body: { title: 'Lisbon' } })
    const call = { params: { id: album.id } }
    await ben.call(addToAlbum, { ...call, body: { fileIds: [one, two] } })
    const link = withToken(await ben.call(createAlbumLink, { ...call, body: {} }))
    expect(link).toMatchObject({ title: null, album: { id: album.id, title: 'Lisbon' }, file_count: 2 })
    const guest = await openedBy(library(), link)
    const shown = async () => (await guest.files()).files.map(({ id }) => id)
    expect(await guest.files()).toMatchObject({ link: { title: 'Lisbon', file_count: 2, by_day: true } })
    expect(await shown()).toEqual([one, two])
    expect((await guest.fetch(`/files/${three}/thumbnail`)).status).toBe(404)

    await ben.call(addToAlbum, { ...call, body: { fileIds: [three] } })
    await ben.call(removeFromAlbum, { ...call, body: { fileIds: [one] } })
    expect(await shown()).toEqual([two, three])
    expect((await guest.fetch(`/files/${one}/thumbnail`)).status).toBe(404)
    expect(await statuses(guest, three)).toEqual(all(200))
    await ben.call(updateAlbum, { ...call, body: { order: 'newest' } })
    expect(await shown()).toEqual([three, two])

    const smart = await ben.call(createAlbum, { body: { title: 'Lisbon again', search: { search: 'secret' } } })
    const filled = await openedBy(
      library(),
      withToken(await ben.call(createAlbumLink, { params: { id: smart.id }, body: {} })),
    )
    expect(await statuses(filled, one)).toEqual(all(200))

    await ben.call(deleteAlbum, call)
    expect(await ben.call(listLinks, { query: {} })).toContainEqual(
      expect.objectContaining({ album: null, album_deleted: true, file_count: 0 }),
    )
    expect(await statuses(guest, three)).toEqual(all(404))
    expect((await guest.open()).status).toBe(404)
  })

  test('needs its password', async () => {
    const ben = await memberOf(library())
    const file = await photo(library())
    const link = await makeLink(ben, { fileIds: [file], password: 'Großmutter 東京' })
    const guest = guestOf(library(), link)
    expect((await guest.open()).answer).toEqual({ link: null })
    expect(await statuses(guest, file)).toEqual(all(403))
    expect((await guest.open('wrong')).status).toBe(403)
    expect(await statuses(guest, file)).toEqual(all(403))
    expect((await guest.open('Großmutter 東京')).status).toBe(200)
    expect(await statuses(guest, file)).toEqual(all(200))
    expect((await guest.open()).answer).toMatchObject({ link: { id: link.id } })
    library().pass(limits.guestSessionTtl - 1_000)
    expect((await guest.open()).answer).toMatchObject({ link: { id: link.id } })
    library().pass(2_000)
    expect((await guest.open()).answer).toEqual({ link: null })

    const [row] = await library().rows(`select token_hash, password_hash from links where id = ${link.id}`)
    expect(JSON.stringify(row)).not.toContain(link.token)
    expect(row?.password_hash).not.toContain('Großmutter')
  })

  test('is listed for the person who made it and for admins, page by page', async () => {
    const [one, two, ada] = [await library().newMember(), await library().newMember(), await memberOf(library(), 'ada')]
    const fileIds = await insertMedia(library(), [{ name: 'a.jpg' }, { name: 'b.jpg' }])
    const [first, second] = [await makeLink(one, { fileIds }), await makeLink(one, { fileIds })]
    await makeLink(two, { fileIds })
    const ids = async (person: SignedIn, query = {}) => (await person.call(listLinks, { query })).map(({ id }) => id)
    expect(await ids(one)).toEqual([second.id, first.id])
    expect(await ids(one, { before: second.id })).toEqual([first.id])
    expect(await ids(ada, { limit: 3 })).toHaveLength(3)
    expect(await one.call(listLinks, { query: { limit: 1 } })).toEqual([
      expect.objectContaining({ file_count: 2, created_by: expect.objectContaining({ name: one.person.name }) }),
    ])
  })
})

onOneEngine('the addresses of links', library => {
  test('are never logged, and cannot be guessed quickly', async () => {
    const ben = await memberOf(library())
    const link = await makeLink(ben, { fileIds: await insertMedia(library(), [{ name: 'a.jpg' }]) })
    const guest = await openedBy(library(), link)
    await guest.files()
    const guestSession = guest.browser.cookie('heirloom_link') ?? 'none'
    expect(library().log.some(line => line.includes('/shared/'))).toBe(true)
    for (const secret of [link.token, guestSession]) expect(library().log.join()).not.toContain(secret)

    startOfWindow(library())
    const guesser = guestOf(library(), { id: link.id, token: 'q'.repeat(43) })
    const answers = []
    for (let i = 0; i <= rateLimits.linksOpened; i++) answers.push((await guesser.open()).status)
    expect(answers.at(0)).toBe(404)
    expect(answers.at(-1)).toBe(429)
  })

  test('name files by what is known of their dates', async () => {
    const ben = await memberOf(library())
    const names = []
    for (const edtf of ['../1938', '1964/1970', '2020/..', '1974-22', '1950~']) {
      const file = await photo(library())
      await ben.call(changeDates, { body: { fileIds: [file], change: { kind: 'set', edtf } } })
      const guest = await openedBy(library(), await makeLink(ben, { fileIds: [file] }))
      const { headers } = await guest.fetch(`/files/${file}/desktop?download=true`)
      names.push(headers.get('content-disposition')?.match(/"(.*)"/)?.[1])
    }
    expect(names).toEqual(['until 1938.jpg', '1964 to 1970.jpg', 'from 2020.jpg', '1974-22.jpg', '1950~.jpg'])
  })

  test('are kept from search engines and other sites', async () => {
    const ben = await memberOf(library())
    const file = await photo(library())
    const guest = await openedBy(library(), await makeLink(ben, { fileIds: [file] }))
    const { headers } = await guest.fetch(`/files/${file}/thumbnail`)
    expect(headers.get('x-robots-tag')).toContain('noindex')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('private, max-age=300')
    const part = await guest.fetch(`/files/${file}/thumbnail`, { headers: { range: 'bytes=0-3' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 4])
  })

  test('send a few ZIPs at a time to one address', async () => {
    const ben = await memberOf(library())
    // More than the sockets buffer, so that a ZIP stays open until it is read.
    const link = await makeLink(ben, { fileIds: [await photo(library(), Buffer.alloc(32_000_000))] })
    const [guest, other] = [await openedBy(library(), link), await openedBy(library(), link)]
    const unread = await Promise.all(Array.from({ length: limits.zipsOfAddress.zips }, () => guest.fetch('/zip')))
    expect(unread.map(({ status }) => status)).toEqual(unread.map(() => 200))
    const ask = async ({ fetch }: Guest) => {
      const { status, body } = await fetch('/zip')
      await body?.cancel()
      return status
    }
    expect([await ask(guest), await ask(other)]).toEqual([429, 200])
    // Who has not opened the link takes no slot, not even for a moment.
    expect(await ask(guestOf(library(), link, new Browser(guest.browser.address)))).toBe(403)
    for (const { body } of unread) await body?.cancel()
    await expect.poll(() => ask(guest), { interval: 500, timeout: 20_000 }).toBe(200)
  })

  test('say what is wrong with a new link', async () => {
    const ben = await memberOf(library())
    const [id = 0] = await insertMedia(library(), [{ name: 'a.jpg' }])
    const refused = (body: object) => ben.call(createLink, { body: { fileIds: [id], ...body } }).catch(error => error)
    expect(await refused({ password: 'seven77' })).toMatchObject({
      status: 422,
      message: expect.stringContaining('guessed'),
    })
    expect(await refused({ days: 0 })).toMatchObject({ status: 422 })
    expect(await refused({ fileIds: [999_999_999] })).toMatchObject({ status: 404 })
  })

  test('are forgotten some time after their end', async () => {
    const ben = await library().newMember()
    const fileIds = await insertMedia(library(), [{ name: 'a.jpg' }])
    const [ended, expired, open] = [
      await makeLink(ben, { fileIds, days: null }),
      await makeLink(ben, { fileIds, days: 1 }),
      await makeLink(ben, { fileIds, days: null }),
    ]
    await ben.call(updateLink, { params: { id: ended.id }, body: { ended: true } })
    const left = async () => {
      const rows = await library().rows(`select id from links where id in (${ended.id}, ${expired.id}, ${open.id})`)
      return rows.map(row => Number(row.id)).toSorted((a, b) => a - b)
    }
    library().pass(limits.keptAfterEnd - 60_000)
    expect(await left()).toEqual([ended.id, expired.id, open.id])
    library().pass(DAY + 120_000)
    // By the hourly cleanup.
    await expect.poll(left, { timeout: 15_000 }).toEqual([open.id])
  })
})
