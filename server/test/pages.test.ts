import { createHash } from 'node:crypto'
import { get, type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import { type Library, startLibrary } from './library.ts'
import { readTree } from './read-tree.ts'

/** See docs/decisions/0091. What is not needed at once is loaded later, by `prefetchedLazy` or `prefetchedDialog`. */
const FIRST_SCREEN_KB = 285

let library: Library
beforeAll(async () => {
  library = await startLibrary({ environment: { APP_TITLE: 'The Okafors' } })
})
afterAll(() => library.close())

describe('the page', () => {
  test.each([
    '/',
    '/login',
    '/login?error=pending_approval',
    '/auth/callback?token=x',
    '/admin',
    '/any/other/path',
    '/apiary',
    '/favicon-of-old.ico',
  ])('is at %s', async path => {
    const response = await library.anyone.fetch(path, { headers: { accept: 'text/html' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toContain('<div id="root">')
  })

  test('of a link for guests has a kind preview for messengers, and says nothing else', async () => {
    const page = await (await library.anyone.fetch('/s', { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('<title>Photos for you · The Okafors</title>')
    expect(page).toContain('<meta property="og:title" content="Photos for you" />')
    const headers = { accept: 'text/html', 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }
    const german = await (await library.anyone.fetch('/s', { headers })).text()
    expect(german).toContain('<title>Fotos für dich · The Okafors</title>')
    expect(german).toContain('<meta property="og:title" content="Fotos für dich" />')
    const usual = await (await library.anyone.fetch('/', { headers: { accept: 'text/html' } })).text()
    expect(usual).toContain('<title>Heirloom</title>')
    expect(usual).not.toContain('og:')
  })

  test.each(['/api/nothing', '/auth/nothing', '/assets/nothing.js', '/healthz/nothing'])(
    'does not stand in for %s',
    async path => {
      const ben = await library.signInAs('ben')
      const response = await ben.fetch(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not_found' })
    },
  )

  test('is for looking at: nothing can be sent to it', async () => {
    const response = await library.anyone.fetch('/login', { method: 'POST' })
    expect(response.status).toBe(404)
  })

  test('names files that exist and may be cached for good', async () => {
    const page = await (await library.anyone.fetch('/')).text()
    const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(assets.length).toBeGreaterThan(1)
    for (const path of assets) {
      const response = await library.anyone.fetch(path)
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  test.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip, deflate'],
    [undefined, 'identity'],
  ])('comes packed as %s to who takes %s', async (packed, accepted) => {
    const page = await (await library.anyone.fetch('/')).text()
    const path = /src="(\/assets\/program-[^"]+\.js)"/.exec(page)?.[1] ?? ''
    const { headers, body } = await rawGet(new URL(path, library.url), { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(packed)
    expect(headers.vary).toContain('accept-encoding')
    expect(headers['content-type']).toContain('javascript')
    const unpacked = packed === 'br' ? brotliDecompressSync(body) : packed === 'gzip' ? gunzipSync(body) : body
    expect(unpacked.equals(Buffer.from(await (await library.anyone.fetch(path)).arrayBuffer()))).toBe(true)
    if (packed !== undefined) expect(body.length).toBeLessThan(unpacked.length / 2)
  })

  test('loads few scripts before the first screen', async () => {
    const page = await (await library.anyone.fetch('/')).text()
    const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
    expect(scripts.length).toBeGreaterThan(1)
    const packed = await Promise.all(
      scripts.map(path => rawGet(new URL(path, library.url), { 'accept-encoding': 'br' })),
    )
    const bytes = packed.reduce((sum, { body }) => sum + body.length, 0)
    expect(bytes / 1_000).toBeLessThan(FIRST_SCREEN_KB)
  })

  test('has a policy that allows its own inline scripts by their hashes, and no others', async () => {
    const response = await library.anyone.fetch('/')
    const page = await response.text()
    const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)]
    const hashes = inline.map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    const policy = response.headers.get('content-security-policy') ?? ''
    const sources = /script-src ([^;]+)/.exec(policy)?.[1]?.split(' ')
    expect(sources).toEqual(["'self'", "'wasm-unsafe-eval'", ...hashes])
    expect(policy).not.toContain('script-src-')
    expect(page).not.toMatch(/\son\w+=/)
  })
})

describe('the installed app', () => {
  test('has the title of the library, shortcuts in the language of the device, and takes photos and videos', async () => {
    const headers = { 'accept-language': 'de' }
    const response = await library.anyone.fetch('/manifest.webmanifest', { headers })
    expect(response.headers.get('content-type')).toContain('application/manifest+json')
    const manifest = (await response.json()) as {
      icons: { src: string }[]
      screenshots: { src: string; sizes: string }[]
      shortcuts: { url: string }[]
      file_handlers: { action: string; accept: Record<string, string[]> }[]
    }
    expect(manifest).toMatchObject({
      name: 'The Okafors',
      shortcuts: [{ name: 'Hochladen', url: '/?upload=' }, { name: 'Erinnerungen' }, { name: 'Chat' }],
      share_target: {
        action: '/share-target',
        method: 'POST',
        enctype: 'multipart/form-data',
        params: { files: [{ name: 'files', accept: ['image/*', 'video/*'] }] },
      },
      launch_handler: { client_mode: 'navigate-existing' },
    })
    expect(manifest.file_handlers[0]?.accept).toMatchObject({ 'image/jpeg': ['.jpg', '.jpeg'], 'video/mp4': ['.mp4'] })
    for (const { src, sizes } of manifest.screenshots) {
      const picture = await library.anyone.fetch(src)
      const { width, height } = await sharp(await picture.arrayBuffer()).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
    const addresses = [...manifest.icons.map(({ src }) => src), ...manifest.shortcuts.map(({ url }) => url)]
    for (const address of addresses)
      expect([address, (await library.anyone.fetch(address)).status]).toEqual([address, 200])
  })

  test('keeps nothing of shared files that reach the server', async () => {
    const before = await storedFiles()
    const form = new FormData()
    form.append('files', new File([new Uint8Array(3 * 1024 ** 2)], 'beach.jpg', { type: 'image/jpeg' }))
    const ben = await library.signInAs('ben')
    for (const sender of [library.anyone, ben]) {
      const response = await sender.fetch('/share-target', { method: 'POST', body: form, redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([303, '/?upload=unavailable'])
    }
    expect(await storedFiles()).toEqual(before)
  })

  test('cuts a form off that is too large to wait for', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(10 * 1024 ** 3) }
    const answered = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
      const sending = request(new URL('/share-target', library.url), { method: 'POST', headers }, ({ headers }) => {
        resolve(headers)
        sending.destroy()
      })
      sending.on('error', reject)
      sending.write('--x')
    })
    expect([answered.location, answered.connection]).toEqual(['/?upload=unavailable', 'close'])
  })

  const storedFiles = async () => (await readTree(library.config.dataFolder)).map(({ name }) => name).toSorted()
})

describe('an unknown path of the API', () => {
  test('is hidden from who has no session', async () => {
    for (const path of ['/api', '/api/', '/api/nothing', '/api/admin/nothing?x=1']) {
      const response = await library.anyone.fetch(path)
      expect([path, response.status]).toEqual([path, 401])
    }
  })

  test('is not there for who has one', async () => {
    const ben = await library.signInAs('ben')
    expect((await ben.fetch('/api/nothing')).status).toBe(404)
    expect((await ben.fetch('/api/nothing', { method: 'POST' })).status).toBe(404)
  })
})

describe('the API page', () => {
  test('opens without a session and runs nothing but its own scripts', async () => {
    const moved = await library.anyone.fetch('/api/docs')
    expect(moved.headers.get('location')).toBe('/api/docs/')
    const response = await library.anyone.fetch('/api/docs/')
    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page).toContain('<title>The Okafors API</title>')
    const policy = response.headers.get('content-security-policy') ?? ''
    const inline = [...page.matchAll(/<script(?: type="[^"]*")?>([\s\S]*?)<\/script>/g)]
    expect(inline.length).toBeGreaterThan(0)
    for (const [, script = ''] of inline) {
      expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    }
    // Served by our own server, not by a third party.
    expect(page).not.toMatch(/<script[^>]+src="https?:/)
    expect((await library.anyone.fetch('/api/docs/js/scalar.js')).status).toBe(200)
  })

  test.each(['', 'js/scalar.js', 'openapi.json', 'openapi.yaml'])('is cached and packed: /%s', async file => {
    const path = `/api/docs/${file}`
    const plain = await rawGet(new URL(path, library.url), { 'accept-encoding': 'identity' })
    const packed = await rawGet(new URL(path, library.url), { 'accept-encoding': 'gzip, br' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
    expect(packed.body.length).toBeLessThan(plain.body.length)
    for (const { headers } of [plain, packed]) {
      expect(headers['cache-control']).toContain('max-age')
      const again = await rawGet(new URL(path, library.url), {
        'accept-encoding': headers['content-encoding'] ?? 'identity',
        'if-none-match': headers.etag ?? '',
      })
      expect([again.status, again.body.length]).toEqual([304, 0])
    }
    expect(plain.headers.etag).not.toBe(packed.headers.etag)
  })

  test('has a document that lists every call of the contract', async () => {
    const document = (await (await library.anyone.fetch('/api/docs/openapi.json')).json()) as {
      info: object
      paths: Record<string, Record<string, { summary: string; responses: object; security: object[] }>>
    }
    expect(document.info).toMatchObject({ title: 'The Okafors API' })
    for (const endpoint of endpoints) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      const operation = document.paths[path]?.[endpoint.method.toLowerCase()]
      expect(operation, `${endpoint.method} ${path}`).toMatchObject({ summary: endpoint.summary })
      expect(Object.keys(operation?.responses ?? {})).toEqual([String(endpoint.status), 'default'])
      expect(operation?.security[0]).toEqual(endpoint.act === 'anyone' ? undefined : { session: [] })
    }
  })
})

/** The raw response: `fetch` would decompress it. */
function rawGet(address: URL, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(address, { headers }, async response => {
      resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) })
    }).on('error', reject)
  })
}
