import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { backUp } from '#server/cli/backup/backup.ts'
import { commandContext } from '../cli-tools.ts'
import { clipMaker } from '../fixtures/clips.ts'
import { makeLink, makeUploadLink, senderOf, withToken } from '../fixtures/guests.ts'
import { makePicture } from '../fixtures/pictures.ts'
import { untilAtRest } from '../fixtures/remains.ts'
import { plainForm, send, untilPrepared } from '../fixtures/uploads.ts'
import { type Library, type SignedIn, startLibrary } from '../library.ts'
import { h264, picture } from '../processing/video-clips.ts'
import { ask, type KeptLibrary } from './kept-library.ts'

/**
 * Makes the library of a release that later versions are tested to upgrade. In a checkout of the release:
 * `KEEP_LIBRARY=server/test/upgrade/VERSION npm test -- server/test/upgrade/make-library`
 */
describe.runIf(process.env.KEEP_LIBRARY)('the library of a release', () => {
  test('is made and kept', { timeout: 1_800_000 }, async () => {
    const folder = resolve(process.env.KEEP_LIBRARY ?? '')
    const library = await startLibrary({ environment: { PATH: process.env.PATH } })
    try {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true })
      const kept = await fill(library)
      await untilAtRest(library)
      const answers = await ask(library, kept, await questions(library, kept))
      const madeAt = library.now()
      await backUp(commandContext(library.config), { folder: join(folder, 'backup'), withVariants: true, verify: true })
      await writeFile(join(folder, 'library.json'), `${JSON.stringify({ madeAt, ...kept, answers }, null, 1)}\n`)
      expect(Object.keys(answers).length).toBeGreaterThan(50)
    } finally {
      await library.close()
    }
  })
})

type Asked = Pick<KeptLibrary, 'tokens' | 'links'>

async function fill(library: Library): Promise<Asked> {
  const ada = await library.admin()
  const ben = await library.signInAs('ben')
  const rose = await library.signInAs('rose')
  const viewer = await library.newViewer()
  await library.signIn('kofi')
  const people = { ada, ben, rose, viewer }
  const [files, folders] = [await addFiles(people, library), await addFolders(people)]
  await arrange(people, files, folders)
  const links = await share(library, people, files)
  await talk(library, people, files)
  await choose(library, people, files)
  const tokens = Object.fromEntries(Object.entries(people).map(([name, { token }]) => [name, token]))
  return { tokens, links }
}

type People = Record<'ada' | 'ben' | 'rose' | 'viewer', SignedIn>

/** Calls the API by its paths, which stay the same. */
async function api(person: SignedIn, call: string, body?: unknown): Promise<Record<string, never>> {
  const [method = '', path = ''] = call.split(' ')
  const headers = { 'content-type': 'application/json' }
  const response = await person.fetch(path, {
    method,
    ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${call} answered ${response.status}: ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

async function addFiles({ ada, ben, rose }: People, library: Library): Promise<Record<string, number>> {
  const small = { width: 48, height: 32 }
  const today = new Date(library.now())
  const years = (ago: number) => `${today.getUTCFullYear() - ago}${today.toISOString().slice(4, 10)}T10:11:12`
  const greenwich = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '51/1 28/1 40/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '0/1 0/1 5/1',
  }
  const place = await sharp(await makePicture({ ...small, number: 900 }))
    .withExif({
      IFD0: { Make: 'Canon', Model: 'EOS 5D' },
      IFD2: { DateTimeOriginal: '2019:07:20 14:15:16' },
      IFD3: greenwich,
    })
    .jpeg()
    .toBuffer()
  const make = await clipMaker()
  const clip = await make('kept.mp4', ...picture('64x48', 1), ...h264)
  const sent: [string, SignedIn, string, Uint8Array][] = [
    ['memory', ada, 'IMG_0001.jpg', await makePicture({ ...small, number: 901, takenAt: years(3) })],
    ['older', ben, 'IMG_0002.JPG', await makePicture({ ...small, number: 902, takenAt: years(10) })],
    ['greenwich', ada, 'Greenwich.jpg', place],
    ['scan', rose, 'Oma 1974.png', await makePicture({ ...small, number: 903, format: 'png' })],
    ['undated', rose, 'scan.webp', await makePicture({ ...small, number: 904, format: 'webp' })],
    ['day', ben, 'Foto vom 31.12.1999.gif', await makePicture({ ...small, number: 905, format: 'gif' })],
    ['upright', ben, 'Überall “quoted” 😀.jpg', await makePicture({ width: 32, height: 48, number: 906 })],
    ['deleted', ada, 'deleted.jpg', await makePicture({ ...small, number: 907 })],
    ['restored', ada, 'restored.jpg', await makePicture({ ...small, number: 908 })],
    ['broken', ben, 'broken.jpg', (await makePicture({ ...small, number: 909 })).subarray(0, 300)],
    ['clip', ben, 'clip.mp4', clip],
  ]
  const ids: Record<string, number> = {}
  for (const [key, person, name, bytes] of sent) {
    const { files } = await send(person, plainForm(name, bytes))
    ids[key] = files[0]?.id ?? 0
  }
  for (const id of Object.values(ids)) await untilPrepared(ada, id, 500_000)
  return ids
}

async function addFolders({ ada, ben }: People): Promise<Record<string, number>> {
  const holidays = await api(ada, 'POST /api/folders', { name: 'Holidays' })
  const lake = await api(ben, 'POST /api/folders', { name: 'Lake', parent_id: holidays.id })
  return { holidays: Number(holidays.id), lake: Number(lake.id) }
}

type Ids = Record<string, number>

async function arrange({ ada, ben, rose }: People, files: Ids, folders: Ids): Promise<void> {
  await api(ada, 'POST /api/folders/move-files', { fileIds: [files.memory, files.older], folderId: folders.lake })
  await api(ben, 'POST /api/folders/move-files', { fileIds: [files.greenwich], folderId: folders.holidays })
  const moved = await api(ada, 'POST /api/folders/move-files', { fileIds: [files.day], folderId: folders.lake })
  await api(ada, `POST /api/changes/${moved.change_id}/undo`)
  await api(ben, `PATCH /api/media/${files.upright}/rename`, { newName: 'Renamed.jpg' })
  await api(ben, `PATCH /api/media/${files.upright}/rotation`, { rotation: 90 })
  await untilPrepared(ben, files.upright ?? 0, 300_000)
  const dates = (fileIds: unknown[], change: unknown) => ({ fileIds, change })
  await api(rose, 'POST /api/media/dates', dates([files.scan, files.undated], { kind: 'set', edtf: '1974~' }))
  await api(rose, 'POST /api/media/dates', dates([files.undated], { kind: 'clear' }))
  await api(ada, 'POST /api/media/dates', dates([files.memory, files.older], { kind: 'shift', minutes: 60 }))
  const lisbon = { latitude: 38.7169, longitude: -9.1399 }
  await api(ben, 'POST /api/media/places', { fileIds: [files.scan, files.day], place: lisbon })
  await api(ada, 'POST /api/media/places', { fileIds: [files.greenwich], place: null })
  await api(ada, 'POST /api/media/places', { fileIds: [files.greenwich], place: 'camera' })
  await api(ada, 'POST /api/media/places', { fileIds: [files.day], place: null })
  for (const [person, file, tagName] of [
    [ada, files.memory, 'Sea'],
    [ben, files.memory, 'Oma Käthe'],
    [rose, files.scan, 'Oma Käthe'],
    [rose, files.day, 'New Year'],
  ] as const) {
    await api(person, `POST /api/tags/media/${file}`, { tagName })
  }
  const [tag] = (await api(rose, `GET /api/tags/media/${files.day}`)) as unknown as { id: number }[]
  await api(rose, `DELETE /api/tags/media/${files.day}/${tag?.id}`)
  await api(ada, `DELETE /api/media/${files.deleted}`)
  await api(ada, `DELETE /api/media/${files.restored}`)
  await api(ada, 'POST /api/media/restore', { fileIds: [files.restored] })
}

async function share(library: Library, { ada, ben, rose }: People, files: Ids): Promise<KeptLibrary['links']> {
  const fileIds = [files.memory, files.older, files.greenwich]
  const sea = await api(ada, 'POST /api/albums', { title: 'By the sea', description: 'Three of us.', fileIds })
  await api(ben, `POST /api/albums/${sea.id}/files`, { fileIds: [files.scan, files.clip] })
  await api(ada, `PATCH /api/albums/${sea.id}`, { order: 'manual' })
  await api(ada, `POST /api/albums/${sea.id}/reorder`, { fileIds: [files.scan], before: files.memory })
  await api(ada, `PATCH /api/albums/${sea.id}`, { cover_id: files.greenwich })
  await api(ada, `POST /api/albums/${sea.id}/remove-files`, { fileIds: [files.older] })
  await api(ben, 'POST /api/albums', { title: 'Oma', search: { search: 'oma' } })
  const gone = await api(ben, 'POST /api/albums', { title: 'Deleted', fileIds: [files.day] })
  await api(ben, `DELETE /api/albums/${gone.id}`)
  const comment = await api(rose, `POST /api/albums/${sea.id}/comments`, { content: 'What a day, @ben' })
  await api(rose, `PUT /api/albums/comments/${comment.id}`, { content: 'What a summer, @ben' })
  const removed = await api(rose, `POST /api/albums/${sea.id}/comments`, { content: 'Oops' })
  await api(rose, `DELETE /api/albums/comments/${removed.id}`)

  const album = withToken(
    (await api(ada, `POST /api/links/albums/${sea.id}`, {
      title: 'For Aunt May',
      days: 300,
      originals: true,
    })) as never,
  )
  const password = 'a long password'
  const chosen = await makeLink(rose, { fileIds: [files.scan ?? 0], title: 'One photo', days: null, password } as never)
  const ended = await makeLink(ben, { fileIds: [files.day ?? 0] } as never)
  await api(ben, `PATCH /api/links/${ended.id}`, { ended: true })
  const wedding = await api(ada, 'POST /api/albums', { title: 'Wedding' })
  const upload = await makeUploadLink(ada, Number(wedding.id), { title: 'Your photos', days: 300, max_files: 20 })
  const guest = await senderOf(library, upload, 'Tom')
  const small = { width: 48, height: 32 }
  for (const number of [911, 912, 913])
    await guest.send(`Wedding ${number}.jpg`, await makePicture({ ...small, number }))
  const waiting = (await api(ada, 'GET /api/guest-uploads')) as unknown as { id: number }[]
  await api(ada, 'POST /api/guest-uploads/accept', { ids: [waiting[0]?.id] })
  await api(ben, 'POST /api/guest-uploads/reject', { ids: [waiting[1]?.id] })
  return [
    { id: album.id, token: album.token },
    { id: chosen.id, token: chosen.token, password },
  ]
}

async function talk(library: Library, { ada, ben, rose, viewer }: People, files: Ids): Promise<void> {
  for (const person of [ada, ben, viewer]) await api(person, `PUT /api/hearts/media/${files.scan}`)
  for (const person of [ben, rose]) await api(person, `PUT /api/hearts/media/${files.memory}`)
  await api(rose, `DELETE /api/hearts/media/${files.memory}`)
  const note = await api(ben, `POST /api/notes/media/${files.memory}`, { content: 'Is this you, @rose?' })
  await api(ben, `PUT /api/notes/${note.id}`, { content: 'Is this you there, @rose?' })
  await api(viewer, `POST /api/notes/media/${files.memory}`, { content: 'Yes! 😀' })
  const deleted = await api(rose, `POST /api/notes/media/${files.scan}`, { content: 'A typing errror' })
  await api(rose, `DELETE /api/notes/${deleted.id}`)

  const direct = await api(ada, 'POST /api/conversations/direct', { otherUserId: await library.idOf('ben') })
  for (const content of ['Hello Ben', 'Look at this']) await api(ada, `POST /api/messages/${direct.id}`, { content })
  await api(ben, `POST /api/messages/${direct.id}`, {
    content: 'Lovely',
    media_id: files.memory,
    client_id: 'kept-client-id',
  })
  await api(ada, `PATCH /api/conversations/${direct.id}/read`)
  const participantIds = [await library.idOf('ben'), await library.idOf('rose')]
  const group = await api(ada, 'POST /api/conversations/group', { title: 'Holiday', participantIds })
  await api(rose, `POST /api/messages/${group.id}`, { content: 'Where to?' })
  await api(ada, `PATCH /api/conversations/${group.id}`, { title: 'Holiday 2027' })
  await api(ben, `POST /api/conversations/${group.id}/leave`)
}

async function choose(library: Library, { ada, ben, rose, viewer }: People, files: Ids): Promise<void> {
  await api(rose, 'PATCH /api/me/settings', {
    name: 'Granny Rose',
    language: 'de',
    start_sort: 'name',
    start_view: null,
  })
  await api(ben, 'PATCH /api/me/settings', { muted: ['hearts'], wanted: ['memories'] })
  const image = (await makePicture({ width: 64, height: 64, number: 920 })).toString('base64')
  await api(rose, 'PUT /api/me/picture', { image })
  await api(ada, 'POST /api/admin/invitations', { email: 'may@elsewhere.example', role: 'member', auto_approve: true })
  await api(ada, 'POST /api/admin/invitations', { email: null, role: 'viewer', auto_approve: false })
  const [open] = await library.rows('select max(id) as id from invitations')
  await api(ada, `POST /api/admin/invitations/${open?.id}/end`)
  await api(ada, `PUT /api/admin/users/${await library.idOf('rose')}/role`, { role: 'admin' })
  await api(ada, `PUT /api/admin/users/${await library.idOf('rose')}/role`, { role: 'member' })
  const denied = library.newPerson({ name: 'A stranger' })
  await library.signIn(denied)
  await api(ada, `POST /api/admin/pending-users/${await library.idOf(denied)}/deny`)
  await api(ben, `PUT /api/memories/hidden/media/${files.memory}`)
  await api(ben, 'PUT /api/memories/hidden/days/1974-06-01')
  for (const person of [ada, viewer]) await api(person, 'POST /api/me/visit')
}

async function questions(library: Library, { tokens }: Asked): Promise<string[]> {
  const ids = async (table: string, where = 'true') =>
    (await library.rows(`select id from ${table} where ${where} order by id`)).map(({ id }) => Number(id))
  const today = new Date(library.now()).toISOString().slice(0, 10)
  const shown = await ids(
    'media',
    `deleted_at is null and id not in (select media_id from guest_uploads where media_id is not null and state <> 'accepted')`,
  )
  const paths: Record<string, string[]> = {
    ada: [
      ...[
        '/api/users',
        '/api/media?limit=100',
        '/api/media?sort=name&limit=100',
        '/api/media?search=oma',
        '/api/media/stats',
      ],
      ...[
        '/api/media/timeline',
        '/api/media/deleted',
        '/api/media/suggestions',
        '/api/folders',
        '/api/albums',
        '/api/tags',
      ],
      ...['/api/links', '/api/guest-uploads', '/api/guest-uploads?state=rejected', '/api/guest-uploads/waiting'],
      ...[
        '/api/places',
        '/api/map/extent',
        '/api/admin/invitations',
        '/api/admin/activity?limit=100',
        '/api/admin/failed-files',
      ],
      ...shown.flatMap(id => [
        `/api/media/${id}`,
        `/api/tags/media/${id}`,
        `/api/notes/media/${id}`,
        `/api/media/${id}/albums`,
      ]),
      `/api/hearts?ids=${shown.join()}`,
      ...(await ids('albums', 'deleted_at is null')).flatMap(id => [
        ...[`/api/albums/${id}`, `/api/albums/${id}/comments`, `/api/media?album=${id}`],
      ]),
      ...(await ids('albums', 'deleted_at is null and search is null')).map(id => `/api/media?album=${id}&sort=manual`),
      ...(await ids('folders')).map(id => `/api/media?folder_id=${id}`),
      ...(await ids('people', `status = 'approved'`)).flatMap(id => [
        `/api/users/${id}/notes`,
        `/api/users/${id}/album-comments`,
      ]),
    ],
  }
  for (const name of Object.keys(tokens)) {
    const own = [
      '/auth/me',
      '/api/me/settings',
      '/api/notifications',
      '/api/notifications/unread-count',
      '/api/conversations',
    ]
    const [me] = await library.rows(`select id from people where username = '${name}' or name = '${name}'`)
    const joined = me
      ? await library.rows(`select conversation_id as id from participants where person_id = ${me.id}`)
      : []
    const messages = joined.map(({ id }) => `/api/messages/${id}`)
    paths[name] = [...(paths[name] ?? []), ...own, ...messages, `/api/memories?today=${today}`, '/api/memories/hidden']
  }
  const guests = ['link 0 /files', 'link 1 /files']
  return [...Object.entries(paths).flatMap(([name, list]) => list.map(path => `${name} ${path}`)), ...guests]
}
