import { expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { whoAmI } from '#contract/auth.ts'
import { addNote } from '#contract/notes.ts'
import { listNotifications } from '#contract/notifications.ts'
import { getPerson, listPeople } from '#contract/people.ts'
import { changeMySettings, mySettings, removeMyPicture, setMyPicture } from '#contract/settings.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { onBothEngines, onOneEngine, type SignedIn } from '../../test/library.ts'

onBothEngines('my settings', library => {
  test('a name that somebody else has is distinguished by the e-mail, for admins alone', async () => {
    const [ada, member] = [await library().admin(), await library().newMember({ name: 'Somebody' })]
    const id = await library().idOf(member.person)
    const emailIn = async (person: SignedIn) =>
      (await person.call(listPeople)).filter(one => one.name.toLowerCase().startsWith('ada')).map(one => one.email)
    expect(await emailIn(ada)).toEqual([undefined])
    await member.call(changeMySettings, { body: { name: 'ADA\u00a0okafor' } })
    expect((await emailIn(ada)).sort()).toEqual([expect.stringContaining('ada'), member.person.email])
    expect(await emailIn(member)).toEqual([undefined, undefined])
    expect((await ada.call(getPerson, { params: { id } })).email).toBe(member.person.email)
    expect((await member.call(getPerson, { params: { id } })).email).toBeUndefined()
    const [line] = await ada.call(listActivity, { query: { person_id: id } })
    expect(line).toMatchObject({ actor: { email: member.person.email }, subject_email: member.person.email })
  })

  test('a chosen name is shown to all, survives the next sign-in, and can be taken back', async () => {
    const rosa = await library().newMember({ name: 'Rosa Maria Okafor' })
    await rosa.call(changeMySettings, { body: { name: ' Auntie\n Rosa ' } })
    const [ada, again] = [await library().admin(), await library().signInAs(rosa.person)]
    expect(await again.call(whoAmI)).toMatchObject({ name: 'Auntie Rosa' })
    expect((await ada.call(listPeople)).map(({ name }) => name)).toContain('Auntie Rosa')
    expect(await rosa.call(mySettings)).toMatchObject({ provider_name: 'Rosa Maria Okafor' })
    // A new name at the provider is remembered but not shown.
    rosa.person.name = 'Rosa Smith'
    const later = await library().signInAs(rosa.person)
    expect(await later.call(mySettings)).toMatchObject({ name: 'Auntie Rosa', provider_name: 'Rosa Smith' })
    expect(await later.call(changeMySettings, { body: { name: null } })).toMatchObject({ name: 'Rosa Smith' })
    await expect(later.call(changeMySettings, { body: { name: '\u200b' } })).rejects.toMatchObject({ status: 422 })
    const disguised = { name: '\u202eAda\u200b Okafor\ufeff' }
    expect(await later.call(changeMySettings, { body: disguised })).toMatchObject({ name: 'Ada Okafor' })
  })

  test('a person gets no notification of what they switched off', async () => {
    const [rosa, ben] = [await library().newMember(), await library().newMember()]
    const [fileId = 0] = await insertMedia(library(), [{ name: 'a.jpg', by: await library().idOf(rosa.person) }])
    const types = async () => (await rosa.call(listNotifications, { query: {} })).map(({ type }) => type)
    const write = (content: string) => ben.call(addNote, { params: { id: fileId }, body: { content } })
    await write('Lovely')
    expect(await types()).toEqual(['comment', 'other'])
    await rosa.call(changeMySettings, { body: { muted: ['comment', 'hearts'] } })
    await write('Very lovely')
    expect(await types()).toEqual(['comment', 'other'])
    const { username } = await rosa.call(whoAmI)
    await write(`Look, @${username}`)
    expect(await types()).toEqual(['mention', 'comment', 'other'])
  })

  test('the start view is kept for every device, and one change leaves the others', async () => {
    const rosa = await library().newMember()
    await rosa.call(changeMySettings, { body: { start_view: 'proportions' } })
    await rosa.call(changeMySettings, { body: { start_sort: 'name' } })
    expect(await rosa.call(mySettings)).toMatchObject({ start_view: 'proportions', start_sort: 'name', muted: [] })
  })

  test('the language is kept for new devices, until the person goes back to that of the browser', async () => {
    const rosa = await library().newMember()
    expect(await rosa.call(mySettings)).toMatchObject({ language: null })
    expect(await rosa.call(whoAmI)).toMatchObject({ language: null })
    expect(await rosa.call(changeMySettings, { body: { language: 'de' } })).toMatchObject({ language: 'de' })
    await rosa.call(changeMySettings, { body: { start_sort: 'name' } })
    expect(await (await library().signInAs(rosa.person)).call(whoAmI)).toMatchObject({ language: 'de' })
    expect(await rosa.call(changeMySettings, { body: { language: null } })).toMatchObject({ language: null })
    const body = JSON.stringify({ language: 'xx' })
    const headers = { 'content-type': 'application/json' }
    const refused = await rosa.fetch(changeMySettings.path, { method: changeMySettings.method, body, headers })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({
      error: 'The field “language” must be “en” or “de”.',
      key: 'input.oneOf',
    })
  })
})

onOneEngine('my picture', library => {
  test('is encoded again from what was uploaded, and is not replaced at the next sign-in', async () => {
    const rosa = await library().newMember()
    const image = Buffer.from(await makePicture()).toString('base64')
    await rosa.call(setMyPicture, { body: { image } })
    const { avatar_url } = await rosa.call(whoAmI)
    const shown = await library().anyone.fetch(avatar_url ?? '')
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(Buffer.from(await shown.arrayBuffer()).toString('base64')).not.toBe(image)
    rosa.person.picture = new URL('/picture', library().provider.issuer).href
    expect(await (await library().signInAs(rosa.person)).call(whoAmI)).toMatchObject({
      avatar_url: expect.stringContaining('avatars/'),
    })
    expect(await rosa.call(mySettings)).toMatchObject({ own_picture: true })
    const jobs = await library().rows(`select id from jobs where name = 'auth.copy-avatar'`)
    expect(jobs).toEqual([])
    await rosa.call(removeMyPicture)
    expect(await rosa.call(mySettings)).toMatchObject({ own_picture: false })
  })

  test('must be a picture that can be read', async () => {
    const rosa = await library().newMember()
    const send = (bytes: Buffer) => rosa.call(setMyPicture, { body: { image: bytes.toString('base64') } })
    await expect(send(Buffer.from('<svg onload="alert(1)"/>'))).rejects.toMatchObject({ status: 415 })
    const broken = Buffer.from(await makePicture()).subarray(0, 60)
    await expect(send(broken)).rejects.toMatchObject({ status: 422 })
    const huge = await makePicture({ width: 6_000, height: 4_000, format: 'png' })
    await expect(send(huge)).rejects.toMatchObject({ status: 422, message: 'This picture has too many pixels.' })
    expect(await rosa.call(whoAmI)).toMatchObject({ avatar_url: null })
  })
})
