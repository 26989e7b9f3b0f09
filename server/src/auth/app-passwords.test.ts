import { request } from 'node:http'
import { expect, test } from 'vitest'
import { appPasswordScopes } from '#contract/app-password-scopes.ts'
import { type AppPasswordScope, createAppPassword, endAppPassword, listAppPasswords } from '#contract/app-passwords.ts'
import { whoAmI } from '#contract/auth.ts'
import { listConversations } from '#contract/chat.ts'
import { endpoints } from '#contract/index.ts'
import { appPasswords as limits } from '#contract/limits.ts'
import { checkDuplicate, deleteMedia, getMedia, mediaThumbnailPath } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { giveRole, revokePerson } from '#contract/people.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { beginResumable, plainForm, send, sendChunk, uploadFile } from '../../test/fixtures/uploads.ts'
import { type Library, onBothEngines, onOneEngine, type SignedIn } from '../../test/library.ts'
import { visitor } from '../../test/visitor.ts'
import { openAppPasswords } from './app-passwords.ts'

async function programOf(library: Library, person: SignedIn, scope: AppPasswordScope) {
  const { app_password, password } = await person.call(createAppPassword, { body: { name: 'Phone', scope } })
  return { ...visitor(library.url, password), id: app_password.id, password }
}

onBothEngines('an app password', library => {
  test('is shown once, and listed for its person alone until they end it', async () => {
    const [person, stranger] = [await library().newMember(), await library().newMember()]
    const { id, password } = await programOf(library(), person, 'read')
    expect(password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){4}$/)
    const listed = await person.call(listAppPasswords)
    expect(listed).toMatchObject([{ id, name: 'Phone', scope: 'read', last_used_at: null, last_used_address: null }])
    expect(JSON.stringify(await library().rows('select * from app_passwords'))).not.toContain(password)
    expect(library().log.join()).not.toContain(password)

    expect(await stranger.call(listAppPasswords)).toEqual([])
    await expect(stranger.call(endAppPassword, { params: { id } })).rejects.toMatchObject({ status: 404 })
    await person.call(endAppPassword, { params: { id } })
    expect(await person.call(listAppPasswords)).toEqual([])
    const personId = await library().idOf(person.person)
    const lines = await library().rows(
      `select action, before from audit_log where actor_id = ${personId} and action like 'app-password%' order by id`,
    )
    const before = JSON.stringify({ name: 'Phone' })
    expect(lines).toEqual([
      { action: 'app-password.create', before },
      { action: 'app-password.end', before },
    ])
  })

  test('for reading reads the library and changes nothing', async () => {
    const person = await library().newMember()
    const { id } = await uploadFile(await library().newMember(), { bytes: await makePicture({ width: 31 }) })
    const program = await programOf(library(), person, 'read')
    expect(await program.call(getMedia, { params: { id } })).toMatchObject({ id })
    expect((await program.call(listMedia, { query: { limit: 5 } })).files.length).toBeGreaterThan(0)
    for (const attempt of [
      () => program.call(deleteMedia, { params: { id } }),
      () => program.call(listConversations, {}),
      () => program.call(createAppPassword, { body: { name: 'Another', scope: 'read' } }),
      async () => send(program, plainForm('a.jpg', await makePicture({ width: 32 }))),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        status: 403,
        message: 'This app password can only read the library.',
      })
    }
    expect((await program.fetch('/api/nothing')).status).toBe(404)
  })

  test('for uploads sends files, also in parts, and sees those of its person alone', async () => {
    const [person, other] = [await library().newMember(), await library().newMember()]
    const theirs = await uploadFile(other, { bytes: await makePicture({ width: 41 }) })
    const program = await programOf(library(), person, 'upload')
    const own = await uploadFile(program, { bytes: await makePicture({ width: 42 }) })
    const path = await beginResumable(program, 4)
    expect((await sendChunk(program, path, 0, Buffer.from('abcd'))).status).toBe(204)

    const { files } = await program.call(listMedia, { query: { limit: 5 } })
    expect(files.map(({ id }) => id)).toEqual([own.id])
    // Whomever it asks for.
    const uploader = await library().idOf(other.person)
    const asked = await program.call(listMedia, { query: { limit: 5, uploader } })
    expect(asked.files.map(({ id }) => id)).toEqual([own.id])
    const [mine, not] = [own.id, theirs.id].map(id => mediaThumbnailPath.replace(':id', String(id)))
    expect((await program.fetch(mine ?? '')).status).not.toBe(403)
    expect((await program.fetch(not ?? '')).status).toBe(404)
    await expect(program.call(getMedia, { params: { id: theirs.id } })).rejects.toMatchObject({ status: 404 })
    // Whether the library has a file already is for all files.
    const hash = String((await other.call(getMedia, { params: { id: theirs.id } })).hash)
    expect((await program.call(checkDuplicate, { body: { hash } })).duplicates).toHaveLength(1)
  })

  test('of somebody who is a viewer by now uploads nothing, and a viewer makes none for uploads', async () => {
    const [person, ada] = [await library().newMember(), await library().admin()]
    const program = await programOf(library(), person, 'upload')
    await ada.call(giveRole, { params: { id: await library().idOf(person.person) }, body: { role: 'viewer' } })
    const attempt = send(program, plainForm('a.jpg', await makePicture({ width: 51 })))
    await expect(attempt).rejects.toMatchObject({ status: 403 })
    await expect(beginResumable(program, 4)).rejects.toThrow('403')
    await expect(programOf(library(), person, 'upload')).rejects.toMatchObject({ status: 403 })
    await expect(programOf(library(), person, 'read')).resolves.toBeDefined()
  })

  test.each(['the password', 'access'])('opens nothing after the end of %s, and running requests end', async what => {
    const [person, ada] = [await library().newMember(), await library().admin()]
    const program = await programOf(library(), person, 'upload')
    const size = 50_000_000
    const path = await beginResumable(program, size)
    const sending = request(new URL(path, library().url), {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${program.password}`,
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': size,
      },
    })
    let isClosed = false
    sending.on('error', () => undefined).on('close', () => (isClosed = true))
    sending.write(Buffer.alloc(1_000))
    const running = async () =>
      (await library().rows('select count(*) as count from app_passwords where last_used_at > 0'))[0]
    await expect.poll(running).not.toEqual({ count: 0 })
    expect(isClosed).toBe(false)
    if (what === 'access') await ada.call(revokePerson, { params: { id: await library().idOf(person.person) } })
    else await person.call(endAppPassword, { params: { id: program.id } })
    await expect.poll(() => isClosed, { timeout: 10_000 }).toBe(true)
    await expect(program.call(whoAmI)).rejects.toMatchObject({
      status: 401,
      message:
        'This app password does not work: it is mistyped, or has been ended. You can make a new one in My settings.',
    })
    const personId = await library().idOf(person.person)
    expect(await library().rows(`select id from app_passwords where person_id = ${personId}`)).toEqual([])
  })

  test('says when and where it was used last, at most once a minute', async () => {
    const person = await library().newMember()
    const { password } = await programOf(library(), person, 'read')
    const afterUseAt = async (address: string) => {
      const program = visitor(library().url, password)
      await program.fetch('/auth/me', { headers: { 'x-forwarded-for': address } })
      return (await person.call(listAppPasswords))[0]
    }
    const first = await afterUseAt('203.0.113.7')
    expect(first?.last_used_address).toBe('203.0.113.7')
    library().pass(limits.touchEvery / 2)
    expect(await afterUseAt('203.0.113.8')).toEqual(first)
    library().pass(limits.touchEvery)
    expect(await afterUseAt('203.0.113.9')).toMatchObject({ last_used_address: '203.0.113.9' })
  })

  test('is refused to people who have many', async () => {
    const person = await library().newMember()
    const id = await library().idOf(person.person)
    const values = Array.from({ length: limits.perPerson }, (_, i) => `(${id}, '${id}-${i}', 'Old', 'read', 1)`)
    await library().rows(
      `insert into app_passwords (person_id, token_hash, name, scope, created_at) values ${values.join()}`,
    )
    await expect(programOf(library(), person, 'read')).rejects.toMatchObject({ status: 409 })
  })
})

onOneEngine('wrong app passwords', library => {
  /** Digits of 2 to 9, as app passwords have. */
  const guess = (i: number) =>
    `${[...i.toString(8).padStart(5, '0')].map(digit => Number(digit) + 2).join('')}-aaaaa-aaaaa-aaaaa-aaaaa`

  test('of one address are limited, and right ones that were used before are not', async () => {
    const person = await library().newMember()
    const [used, unused] = [await programOf(library(), person, 'read'), await programOf(library(), person, 'read')]
    const from = (address: string, password: string) =>
      visitor(library().url, password).fetch('/auth/me', { headers: { 'x-forwarded-for': address } })
    expect((await from('203.0.113.20', used.password)).status).toBe(200)
    const statuses: number[] = []
    for (let i = 0; i < limits.guesses.ofAddress.burst + 200; i++) {
      statuses.push((await from('203.0.113.20', guess(i))).status)
      if (statuses.at(-1) === 429) break
    }
    expect(statuses.at(-1)).toBe(429)
    expect((await from('203.0.113.20', used.password)).status).toBe(200)
    expect((await from('203.0.113.20', unused.password)).status).toBe(429)
    expect((await from('203.0.113.21', unused.password)).status).toBe(200)
  })

  test('are checked with the name of their person, and repeated ones are counted once', async () => {
    const person = await library().newMember()
    const { password } = await programOf(library(), person, 'upload')
    const passwords = openAppPasswords({
      db: await library().database(),
      clock: library().now,
      config: { oidc: 'configured' },
    })
    const { username } = await person.call(whoAmI)
    const found = { id: await library().idOf(person.person), role: 'member', scope: 'upload' }
    const address = '2001:db8:1:2::1'
    for (const name of [username, username.toUpperCase(), person.person.email]) {
      expect(await passwords.check(password, address, name)).toMatchObject(found)
    }
    expect(await passwords.check(password.toUpperCase(), address)).toMatchObject(found)
    expect(await passwords.check(password, address, 'ada')).toBeUndefined()
    for (let i = 0; i < 1_000; i++) expect(await passwords.check('hello', address, username)).toBeUndefined()
    // A customer of IPv6 has many addresses.
    const inNetwork = (i: number) => passwords.check(guess(i), `2001:db8:1:${i.toString(16)}::1`, username)
    const many = async () => {
      for (let i = 0; i < limits.guesses.ofNetwork.burst + 50; i++) await inNetwork(i)
    }
    await expect(many()).rejects.toMatchObject({ status: 429 })
    await expect(passwords.check(guess(9999), '2001:db8:2::1')).resolves.toBeUndefined()
  })
})

test('scopes have no call that concerns chat, notifications, people’s rights, settings, links or deletions', () => {
  const acts = Object.values(appPasswordScopes).flatMap(routes =>
    routes.flatMap(({ method, path }) => endpoints.find(one => one.method === method && one.path === path) ?? []),
  )
  expect([...new Set(acts.map(({ act }) => act))].sort()).toEqual([
    'media.see',
    'media.upload',
    'people.see',
    'session.use',
  ])
  expect(acts.filter(({ act }) => act === 'session.use')).toEqual([whoAmI, whoAmI])
  const changing = appPasswordScopes.read.filter(({ method }) => method !== 'GET').map(({ path }) => path)
  expect(changing).toEqual(['/api/media/zip'])
})
