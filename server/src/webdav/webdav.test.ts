import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { addToAlbum, createAlbum } from '#contract/albums.ts'
import { createAppPassword, endAppPassword } from '#contract/app-passwords.ts'
import { createFolder, listFolders } from '#contract/folders.ts'
import { deleteMedia, getMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { uploadFile } from '../../test/fixtures/uploads.ts'
import { type Library, onBothEngines, onOneEngine, type SignedIn } from '../../test/library.ts'

type Scope = 'read' | 'upload'

interface Client {
  id: number
  (method: string, path: string, init?: RequestInit & { duplex?: 'half' }): Promise<Response>
}

async function clientOf(library: Library, person: SignedIn, scope: Scope): Promise<Client> {
  const { app_password, password } = await person.call(createAppPassword, { body: { name: 'Phone', scope } })
  const authorization = basic(person.person.email, password)
  const send = (method: string, path: string, init: RequestInit = {}) =>
    fetch(new URL(path, library.url), { method, ...init, headers: { authorization, ...init.headers } })
  return Object.assign(send, { id: app_password.id })
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}

async function names(client: Client, path: string): Promise<string[]> {
  const response = await client('PROPFIND', path, { headers: { depth: '1' } })
  expect(response.status).toBe(207)
  const text = await response.text()
  return [...text.matchAll(/<D:displayname>(.*?)<\/D:displayname>/g)].map(([, name = '']) => name).slice(1)
}

onBothEngines('WebDAV', library => {
  test('shows folders and albums to read, with every file whole, in parts and by its ETag', async () => {
    const ben = await library().newMember()
    const bytes = await makePicture()
    const folder = await ben.call(createFolder, { body: { name: 'Sommer & Söhne' } })
    const inside = await ben.call(createFolder, { body: { name: 'See', parent_id: folder.id } })
    const { id } = await uploadFile(ben, { name: 'Oma.jpg', bytes, folderId: folder.id })
    const twin = await uploadFile(ben, { name: 'Oma.jpg', folderId: folder.id })
    const album = await ben.call(createAlbum, { body: { title: 'a/b: "best"' } })
    await ben.call(addToAlbum, { params: { id: album.id }, body: { fileIds: [id] } })
    const client = await clientOf(library(), ben, 'read')

    expect(await names(client, '/dav/')).toEqual(['Folders', 'Albums'])
    expect(await names(client, '/dav/Folders')).toContain('Sommer &#38; Söhne')
    const path = '/dav/Folders/Sommer%20%26%20S%C3%B6hne'
    // Macs decompose letters.
    expect(await names(client, '/dav/Folders/Sommer%20%26%20So%CC%88hne/')).toEqual([
      inside.name,
      'Oma.jpg',
      `Oma ~${twin.id}.jpg`,
    ])
    const whole = await client('GET', `${path}/Oma.jpg`)
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes)
    expect(whole.headers.get('content-disposition')).toBe('attachment')
    const part = await client('GET', `${path}/Oma.jpg`, { headers: { range: 'bytes=10-19' } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20))
    const etag = whole.headers.get('etag') ?? ''
    expect((await client('GET', `${path}/Oma.jpg`, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const head = await client('HEAD', `${path}/Oma%20~${twin.id}.jpg`)
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
    const shown = `a_b_ _best_ ~${album.id}`
    expect(await names(client, '/dav/Albums/')).toContain(shown)
    expect(await names(client, `/dav/Albums/${encodeURIComponent(shown)}/`)).toEqual(['Oma.jpg'])

    await ben.call(deleteMedia, { params: { id } })
    expect((await client('GET', `/dav/Albums/${encodeURIComponent(shown)}/Oma.jpg`)).status).toBe(404)
    for (const [method, at] of [
      ['PUT', `${path}/new.jpg`],
      ['PUT', '/dav/Inbox/new.jpg'],
      ['DELETE', `${path}/Oma.jpg`],
      ['MKCOL', '/dav/Folders/New'],
      ['MOVE', `${path}/Oma.jpg`],
      ['COPY', `${path}/Oma.jpg`],
      ['LOCK', `${path}/Oma.jpg`],
    ] as const) {
      const headers = { destination: '/dav/Inbox/x.jpg' }
      expect([method, (await client(method, at, { headers })).status]).toEqual([method, 403])
    }
  })

  test('has an inbox that stores what is put into it once, and goes on listing it', async () => {
    const ben = await library().newMember()
    const client = await clientOf(library(), ben, 'upload')
    const bytes = await makePicture()
    const at = '/dav/Inbox/Phone/2024/IMG 1.jpg'
    expect((await client('PUT', at, { body: bytes })).status).toBe(409)
    expect((await client('MKCOL', '/dav/Inbox/Phone')).status).toBe(201)
    expect((await client('MKCOL', '/dav/Inbox/Phone')).status).toBe(405)
    expect((await client('MKCOL', '/dav/Inbox/Phone/2024/')).status).toBe(201)
    // Finder sends an empty file first.
    expect((await client('PUT', at, { body: '' })).status).toBe(201)
    const put = await client('PUT', at, { body: bytes, headers: { 'x-oc-mtime': '1500000000' } })
    expect(put.status).toBe(204)
    const { files } = await ben.call(listMedia, { query: { search: 'IMG 1' } })
    expect(files).toMatchObject([{ original_name: 'IMG 1.jpg', uploaded_by: { name: ben.person.name } }])
    const folders = await ben.call(listFolders)
    expect(folders.find(({ id }) => id === files[0]?.folder_id)?.path).toBe('Phone / 2024')

    const again = await client('PUT', '/dav/Inbox/Phone/copy.jpg', { body: bytes })
    expect(again.status).toBe(201)
    expect((await ben.call(listMedia, { query: { search: 'copy' } })).count).toBe(0)
    expect(await names(client, '/dav/Inbox/Phone')).toEqual(['2024', 'copy.jpg'])
    expect(await names(client, '/dav/Folders/').catch(() => 'refused')).toBe('refused')

    // A deleted photo stays deleted, and stays listed, so that the device does not send it again.
    const id = files[0]?.id ?? 0
    await ben.call(deleteMedia, { params: { id } })
    expect((await client('PUT', '/dav/Inbox/Phone/third.jpg', { body: bytes })).status).toBe(201)
    await expect(ben.call(getMedia, { params: { id } })).rejects.toMatchObject({ status: 404 })
    const listed = await (await client('PROPFIND', at, { headers: { depth: '0' } })).text()
    expect(listed).toContain(`<D:getcontentlength>${bytes.length}</D:getcontentlength>`)
    expect(listed).toContain(`<D:getlastmodified>${new Date(1_500_000_000_000).toUTCString()}</D:getlastmodified>`)
    expect((await client('DELETE', at)).status).toBe(403)

    const rose = await clientOf(library(), await library().newMember(), 'upload')
    expect(await names(rose, '/dav/Inbox')).toEqual([])
    expect((await rose('GET', at)).status).toBe(404)
  })

  test('gives a file that was sent under a temporary name its own, and moves whole folders', async () => {
    const ben = await library().newMember()
    const client = await clientOf(library(), ben, 'upload')
    await client('MKCOL', '/dav/Inbox/Käse')
    await client('PUT', '/dav/Inbox/K%C3%A4se/wurst.jpg.part', { body: await makePicture() })
    await client('PUT', '/dav/Inbox/K%C3%A4se/b.jpg', { body: await makePicture() })
    const to = (path: string, more = {}) => ({ headers: { destination: new URL(path, library().url).href, ...more } })
    expect(
      (await client('MOVE', '/dav/Inbox/K%C3%A4se/wurst.jpg.part', to('/dav/Inbox/K%C3%A4se/wurst.jpg'))).status,
    ).toBe(201)
    expect((await ben.call(listMedia, { query: { search: 'wurst' } })).files).toMatchObject([
      { original_name: 'wurst.jpg' },
    ])
    const onto = to('/dav/Inbox/K%C3%A4se/b.jpg', { overwrite: 'F' })
    expect((await client('MOVE', '/dav/Inbox/K%C3%A4se/wurst.jpg', onto)).status).toBe(412)
    expect((await client('MOVE', '/dav/Inbox/K%C3%A4se', to('/dav/Inbox/K%C3%A4se/in'))).status).toBe(403)
    expect((await client('MOVE', '/dav/Inbox/K%C3%A4se', to('/dav/Inbox/Done'))).status).toBe(201)
    expect(await names(client, '/dav/Inbox/Done')).toEqual(['b.jpg', 'wurst.jpg'])
    expect(await names(client, '/dav/Inbox')).toEqual(['Done'])
    // An index of Postgres takes 2,700 bytes.
    const long = encodeURIComponent('ä'.repeat(250))
    for (const path of [`/dav/Inbox/${long}`, `/dav/Inbox/${long}/${long}`]) {
      expect((await client('MKCOL', path)).status).toBe(201)
    }
    expect((await client('MKCOL', `/dav/Inbox/${long}/${long}/${long}`)).status).toBe(422)
    await client('MKCOL', `/dav/Inbox/${'x'.repeat(200)}`)
    const deeper = to(`/dav/Inbox/${'x'.repeat(200)}/${long}`)
    expect((await client('MOVE', `/dav/Inbox/${long}`, deeper)).status).toBe(422)
    for (const path of [
      'http://elsewhere.example/dav/Inbox/x',
      '/files/x',
      '/dav/Inbox/..%2f..%2fx',
      '/dav/Folders/x',
    ]) {
      const { status } = await client('MOVE', '/dav/Inbox/Done', to(path))
      expect([path, status >= 400 && status < 500]).toEqual([path, true])
    }
  })

  test('keeps the devices of one person apart by locks, until they end', async () => {
    const ben = await library().newMember()
    const [mac, phone] = [await clientOf(library(), ben, 'upload'), await clientOf(library(), ben, 'upload')]
    const body =
      '<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner><D:href>mac</D:href></D:owner></D:lockinfo>'
    const locked = await mac('LOCK', '/dav/Inbox/film.jpg', { body, headers: { timeout: 'Second-60' } })
    expect(locked.status).toBe(201)
    const token = locked.headers.get('lock-token') ?? ''
    expect(await locked.text()).toContain('<D:timeout>Second-60</D:timeout>')
    expect((await phone('LOCK', '/dav/Inbox/film.jpg', { body })).status).toBe(423)
    expect((await phone('PUT', '/dav/Inbox/film.jpg', { body: 'x' })).status).toBe(423)
    expect((await phone('LOCK', '/dav/Inbox', { body })).status).toBe(423)
    const headers = { if: `(${token})` }
    expect((await mac('PUT', '/dav/Inbox/film.jpg', { body: await makePicture(), headers })).status).toBe(204)
    expect((await mac('LOCK', '/dav/Inbox/film.jpg', { headers })).status).toBe(200)
    expect((await mac('UNLOCK', '/dav/Inbox/film.jpg', { headers: { 'lock-token': token } })).status).toBe(204)
    expect((await phone('LOCK', '/dav/Inbox/film.jpg', { body })).status).toBe(200)
    library().pass(3_601_000)
    expect((await mac('DELETE', '/dav/Inbox/film.jpg')).status).toBe(403)
    expect((await mac('MKCOL', '/dav/Inbox/Free')).status).toBe(201)
    expect((await mac('DELETE', '/dav/Inbox/Free')).status).toBe(204)
  })
})

onOneEngine('WebDAV', library => {
  test('opens to app passwords alone, and over a private connection', async () => {
    const ben = await library().newMember()
    const client = await clientOf(library(), ben, 'upload')
    const { password } = await ben.call(createAppPassword, { body: { name: 'x', scope: 'read' } })
    const propfind = (headers: Record<string, string>) =>
      fetch(new URL('/dav/', library().url), { method: 'PROPFIND', headers: { depth: '0', ...headers } })
    const nobody = await propfind({})
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Basic')])
    expect((await propfind({ authorization: `Bearer ${ben.token}` })).status).toBe(401)
    expect((await propfind({ authorization: basic(ben.person.email, ben.token) })).status).toBe(401)
    expect((await propfind({ authorization: basic('rose', password) })).status).toBe(401)
    const right = { authorization: basic(ben.person.email, password) }
    expect((await propfind(right)).status).toBe(207)
    expect((await propfind({ ...right, origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await propfind({ ...right, 'x-forwarded-for': '203.0.113.9' })).status).toBe(403)
    expect((await propfind({ ...right, depth: 'infinity' })).status).toBe(403)

    await ben.call(endAppPassword, { params: { id: client.id } })
    expect((await client('PROPFIND', '/dav/', { headers: { depth: '0' } })).status).toBe(401)
    const viewer = await library().newViewer()
    const refused = viewer.call(createAppPassword, { body: { name: 'x', scope: 'upload' } })
    await expect(refused).rejects.toMatchObject({ status: 403 })
  })

  test('refuses entities, hostile names, other content and what operating systems leave behind', async () => {
    const client = await clientOf(library(), await library().newMember(), 'upload')
    const xml = (body: string) => client('PROPFIND', '/dav/Inbox', { body, headers: { depth: '0' } })
    const bomb = '<!DOCTYPE a [<!ENTITY b "x">]><D:propfind xmlns:D="DAV:"><D:prop>&b;</D:prop></D:propfind>'
    expect((await xml(bomb)).status).toBe(400)
    expect((await xml('<a>'.repeat(500))).status).toBe(400)
    expect((await xml('x'.repeat(40_000))).status).toBe(413)
    const asked = await xml('<propfind xmlns="DAV:"><prop><getetag/><x xmlns="urn:a&quot;b"/></prop></propfind>')
    expect(await asked.text()).toContain('<x xmlns="urn:a&#34;b"/>')
    for (const name of ['..', '%2e%2e', 'a%2fb', 'a%5cb', 'a%00b', '%ff', 'a%0ab']) {
      const { status } = await client('PUT', `/dav/Inbox/x/${name}`, { body: 'x' })
      expect([name, status >= 400 && status < 500]).toEqual([name, true])
    }
    expect((await client('PUT', '/dav/Inbox/letter.pdf', { body: '%PDF-1.4' })).status).toBe(415)
    for (const name of ['._IMG.jpg', '.DS_Store']) {
      expect((await client('PUT', `/dav/Inbox/${name}`, { body: 'x' })).status).toBe(201)
    }
    expect(await names(client, '/dav/Inbox')).toEqual([])
  })

  test('keeps nothing of a file whose line is cut, and takes it the next time', async () => {
    const ben = await library().newMember()
    const client = await clientOf(library(), ben, 'upload')
    const bytes = await makePicture()
    const cut = new AbortController()
    const half = Readable.from(
      (async function* () {
        yield bytes.subarray(0, 100)
        await new Promise(resolve => setTimeout(resolve, 50))
        cut.abort()
      })(),
    )
    const body = Readable.toWeb(half) as ReadableStream
    await client('PUT', '/dav/Inbox/cut.jpg', { body, duplex: 'half', signal: cut.signal }).catch(() => undefined)
    expect(await names(client, '/dav/Inbox')).toEqual([])
    expect((await client('PUT', '/dav/Inbox/cut.jpg', { body: bytes })).status).toBe(201)
  })
})
