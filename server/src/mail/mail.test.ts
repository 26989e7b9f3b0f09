import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { createAlbum } from '#contract/albums.ts'
import { heartFile } from '#contract/hearts.ts'
import { createInvitation, endInvitation } from '#contract/invitations.ts'
import { DAY, HOUR, mail as limits, MINUTE, rateLimits } from '#contract/limits.ts'
import { changeMyMail, mailInvitation, mailStatus, myMail, tryMail } from '#contract/mail.ts'
import { addNote } from '#contract/notes.ts'
import { approvePerson, reapprovePerson, revokePerson } from '#contract/people.ts'
import { changeMySettings } from '#contract/settings.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { startMailServer } from '../../test/fixtures/mail-server.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines, onOneEngine, type SignedIn } from '../../test/library.ts'

const smtp = await startMailServer()
afterAll(() => smtp.close())
beforeEach(() => {
  smtp.answer = () => 'accept'
})

const environment = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'Our photos <photos@family.example>' }
/** A Monday. */
const at = Date.UTC(2026, 4, 4, 6)
/** More than the first pause before a retry. */
const RETRY = 10_000

onBothEngines(
  'mails',
  library => {
    // Both engines have people of the same addresses.
    beforeAll(() => smtp.forget())
    const addressOf = ({ person }: SignedIn) => person.email
    const outcomes = async (person: SignedIn) =>
      (
        await library().rows(
          `select outcome from mails where kind <> 'welcome' and person_id = ${await library().idOf(person.person)} order by id`,
        )
      ).map(({ outcome }) => outcome)
    const untilOutcome = (person: SignedIn, expected: unknown[]) =>
      vi.waitFor(async () => expect(await outcomes(person)).toEqual(expected), { timeout: 30_000, interval: 100 })
    /** Also after the welcome. */
    const mailsTo = async (person: SignedIn, count = 1) =>
      (await smtp.mailsTo(addressOf(person), count + 1)).filter(({ text }) => !text.includes('now have access'))
    const untilMorning = () => {
      const now = library().now()
      library().pass(Math.floor(now / DAY) * DAY + DAY + 7.5 * HOUR - now)
    }

    test('of what is new come in the morning, in the language of the person, with pictures and without links to others', async () => {
      const reader = await library().newMember({ name: 'Kofi' })
      const writer = await library().newMember({ name: `<b>Rose</b> evil.example "Q" & Söhne` })
      const by = await library().idOf(reader.person)
      const [own = 0] = await insertMedia(library(), [{ name: 'mine.jpg', by }])
      await reader.call(changeMySettings, { body: { language: 'de' } })
      expect(await reader.call(myMail)).toEqual({ available: true, address: addressOf(reader), digest: 'off' })
      await reader.call(changeMyMail, { body: { digest: 'daily' } })
      const file = await uploadFile(writer, { name: 'lake.jpg', bytes: await makePicture({ width: 400, height: 300 }) })
      await untilPrepared(writer, file.id)
      await writer.call(addNote, { params: { id: own }, body: { content: 'Wie\r\nschön <i>!</i>' } })
      await writer.call(heartFile, { params: { id: own } })
      await writer.call(createAlbum, { body: { title: 'Am See', fileIds: [file.id] } })
      untilMorning()
      const [mail] = await mailsTo(reader)
      if (!mail) throw new Error('There is a mail')
      const { headers, text, html, pictures, envelope } = mail
      expect(envelope).toEqual({ from: 'photos@family.example', to: [addressOf(reader)] })
      expect(headers.get('from')).toBe('Our photos <photos@family.example>')
      expect(headers.get('to')).toBe(addressOf(reader))
      expect(headers.get('subject')).toBe('Heirloom: 1 neues Foto, 1 Notiz, 1 Herz, 1 neues Album')
      expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
      expect(headers.get('list-unsubscribe')).toMatch(/^<http:\/\/127\.0\.0\.1:\d+\/mail\/unsubscribe\?token=[\w.-]+>$/)
      expect(headers.get('message-id')).toMatch(/^<[\w-]+@family\.example>$/)
      expect(headers.get('auto-submitted')).toBe('auto-generated')
      const name = '<b>Rose</ b> evil. example "Q" & Söhne'
      expect(text).toContain('Neu seit 4. Mai 2026')
      expect(text).toContain(`${name} hat 1 Foto hinzugefügt`)
      expect(text).toContain(`${name} zu einem Foto: „Wie schön <i>!</i>“`)
      expect(text).toContain(`${name} gefällt 1 Foto von dir`)
      expect(text).toContain(`${name} hat das Album „Am See“ erstellt`)
      // Only tags and addresses of our own.
      expect(html).not.toMatch(/<\/?[bi]>/)
      for (const [, address] of html.matchAll(/(?:href|src|url\()=?"?([^"\s)]+)/g)) {
        expect(address).toMatch(/^(cid:picture-1@heirloom|http:\/\/127\.0\.0\.1:\d+\/)/)
      }
      expect([...pictures.keys()]).toEqual(['picture-1@heirloom'])
      expect(pictures.get('picture-1@heirloom')?.subarray(0, 3)).toEqual(Buffer.of(0xff, 0xd8, 0xff))
      expect(html).toContain('prefers-color-scheme: dark')
      await untilOutcome(reader, ['sent'])

      // Nothing happened since, so nothing is sent.
      const day = `select digest_day from mail_recipients where person_id = ${by}`
      const [before] = await library().rows(day)
      untilMorning()
      await vi.waitFor(async () => expect(await library().rows(day)).not.toEqual([before]), { timeout: 30_000 })
      expect(await outcomes(reader)).toEqual(['sent'])
      await reader.call(changeMyMail, { body: { digest: 'off' } })
    })

    test('of a week come on Sunday', async () => {
      const reader = await library().newMember()
      // The welcome would be too old on Sunday.
      await smtp.mailsTo(addressOf(reader))
      await reader.call(changeMyMail, { body: { digest: 'weekly' } })
      await insertNews(library().now() + 1)
      for (;;) {
        untilMorning()
        const isSunday = new Date(library().now()).getUTCDay() === 0
        if (isSunday) break
        expect(await outcomes(reader)).toEqual([])
      }
      const [mail] = await mailsTo(reader)
      expect(mail?.headers.get('subject')).toBe('Heirloom: 1 new photo')
      await reader.call(changeMyMail, { body: { digest: 'off' } })
    })

    test('are tried again when the mail server is busy, with the same Message-ID, and admins see what it said', async () => {
      const reader = await library().newMember()
      const ids: (string | undefined)[] = []
      smtp.answer = mail => {
        if (!mail.envelope.to.includes(addressOf(reader)) || mail.text.includes('now have access')) return 'accept'
        ids.push(mail.headers.get('message-id'))
        return ids.length === 1 ? { refuse: 451 } : 'accept'
      }
      await reader.call(tryMail)
      const ada = await library().admin()
      await expect
        .poll(async () => (await ada.call(mailStatus)).last_error?.outcome, { timeout: 30_000 })
        .toBe('waiting')
      const { last_error, ...status } = await ada.call(mailStatus)
      expect(status).toMatchObject({ configured: true, from: 'photos@family.example' })
      expect(last_error?.text).toContain('451')
      library().pass(RETRY)
      expect(await mailsTo(reader)).toHaveLength(1)
      await untilOutcome(reader, ['sent'])
      expect(ids).toEqual([ids[0], ids[0]])
      expect((await ada.call(mailStatus)).last_error?.outcome).toBe('sent')
    })

    test('are given up when the mail server refuses them for good', async () => {
      const reader = await library().newMember()
      await smtp.mailsTo(addressOf(reader))
      smtp.answer = mail => (mail.envelope.to.includes(addressOf(reader)) ? { refuse: 554 } : 'accept')
      await reader.call(tryMail)
      await untilOutcome(reader, ['failed'])
      const ada = await library().admin()
      expect((await ada.call(mailStatus)).last_error).toMatchObject({
        outcome: 'failed',
        text: expect.stringContaining('554'),
      })
    })

    test('are not sent to people who have lost access, who then have no digest any more', async () => {
      const reader = await library().newMember()
      await smtp.mailsTo(addressOf(reader))
      const id = await library().idOf(reader.person)
      const ada = await library().admin()
      await reader.call(changeMyMail, { body: { digest: 'daily' } })
      smtp.answer = mail => (mail.envelope.to.includes(addressOf(reader)) ? { refuse: 451 } : 'accept')
      await reader.call(tryMail)
      const attempted = `select id from mails where person_id = ${id} and error is not null`
      await expect.poll(() => library().rows(attempted), { timeout: 30_000 }).toHaveLength(1)
      await ada.call(revokePerson, { params: { id } })
      smtp.answer = () => 'accept'
      library().pass(RETRY)
      await untilOutcome(reader, ['dropped'])
      await ada.call(reapprovePerson, { params: { id } })
      const again = await library().signInAs(reader.person)
      expect(await again.call(myMail)).toMatchObject({ digest: 'off' })
    })

    test('tell somebody that they are let in, and admins that somebody asks', async () => {
      const ada = await library().admin()
      const stranger = library().newPerson({ name: 'Buy at https://evil.example now' })
      await library().signIn(stranger)
      await library().signIn(stranger)
      const id = await library().idOf(stranger)
      const asked = await vi.waitUntil(() => smtp.received.find(({ text }) => text.includes('Buy at')), {
        timeout: 30_000,
      })
      expect(asked).toMatchObject({ envelope: { to: [addressOf(ada)] } })
      expect(asked.text).toContain('Name: Buy at https: / / evil. example now')
      expect(asked.text).toContain(stranger.email)
      await ada.call(approvePerson, { params: { id } })
      const [welcome] = await smtp.mailsTo(stranger.email)
      expect(welcome?.headers.get('subject')).toBe('Heirloom: you now have access')
      expect(
        await library().rows(`select id from mails where once = 'request:${id}:${await library().idOf('ada')}'`),
      ).toHaveLength(1)
    })

    test('carry an invitation to its address, but not one that has ended or is for anybody', async () => {
      const ada = await library().admin()
      const body = { email: 'ines@elsewhere.example', role: 'member', auto_approve: true } as const
      const { invitation, url } = await ada.call(createInvitation, { body })
      await ada.call(mailInvitation, { params: { id: invitation.id }, body: { language: 'de' } })
      const [mail] = await smtp.mailsTo('ines@elsewhere.example')
      expect(mail?.headers.get('subject')).toBe('Eine Einladung zu Heirloom')
      expect(mail?.text).toContain(url)
      const [latest] = await ada.call(listActivity, { query: { limit: 1 } })
      expect(latest).toMatchObject({ act: 'invitation.mail', before: { name: 'ines@elsewhere.example' } })

      const { invitation: ended } = await ada.call(createInvitation, {
        body: { ...body, email: 'tom@elsewhere.example' },
      })
      smtp.answer = () => ({ refuse: 451 })
      await ada.call(mailInvitation, { params: { id: ended.id }, body: { language: 'en' } })
      await expect
        .poll(async () => (await ada.call(mailStatus)).last_error?.outcome, { timeout: 30_000 })
        .toBe('waiting')
      await ada.call(endInvitation, { params: { id: ended.id } })
      smtp.answer = () => 'accept'
      library().pass(RETRY)
      const last = `select outcome from mails where kind = 'invitation' order by id desc limit 1`
      await expect.poll(() => library().rows(last), { timeout: 30_000 }).toEqual([{ outcome: 'dropped' }])
      await expect(
        ada.call(mailInvitation, { params: { id: ended.id }, body: { language: 'en' } }),
      ).rejects.toMatchObject({ status: 404 })

      const { invitation: open } = await ada.call(createInvitation, { body: { ...body, email: null } })
      await expect(
        ada.call(mailInvitation, { params: { id: open.id }, body: { language: 'en' } }),
      ).rejects.toMatchObject({ status: 409 })
    })

    test('that people ask for are few in a day, and do not keep the others waiting', async () => {
      const reader = await library().newMember()
      await smtp.mailsTo(addressOf(reader))
      smtp.answer = () => ({ refuse: 451 })
      for (let count = 0; count < limits.testsPerDay; count++) {
        if (count > 0 && count % rateLimits.mailsAsked === 0) library().pass(MINUTE)
        await reader.call(tryMail)
      }
      library().pass(MINUTE)
      await expect(reader.call(tryMail)).rejects.toMatchObject({ status: 429 })
      const owners = `select count(distinct owner_id) as count from jobs where name = 'mail.send' and owner_id = ${await library().idOf(reader.person)}`
      expect((await library().rows(owners)).map(({ count }) => Number(count))).toEqual([1])
      smtp.answer = () => 'accept'
      library().pass(DAY)
      await reader.call(tryMail)

      const ada = await library().admin()
      const body = { email: 'often@elsewhere.example', role: 'viewer', auto_approve: false } as const
      const { invitation } = await ada.call(createInvitation, { body })
      const at = library().now()
      const sent = Array.from(
        { length: limits.invitationsPerDay },
        (_, i) => `('<${i}@x>', 'invitation', '{}', ${at}, ${at}, 'sent')`,
      )
      await library().rows(
        `insert into mails (message_id, kind, payload, created_at, ended_at, outcome) values ${sent.join()}`,
      )
      const mailIt = () => ada.call(mailInvitation, { params: { id: invitation.id }, body: { language: 'en' } })
      await expect(mailIt()).rejects.toMatchObject({ status: 429 })
      library().pass(DAY)
      await mailIt()
    })

    test('tell admins once that there is no backup and that a file is damaged', async () => {
      const ada = await library().admin()
      const [id] = await insertMedia(library(), [{ name: 'rot.jpg', date: library().now() }])
      const alerts = () => smtp.received.filter(({ text }) => text.includes('rot.jpg') || text.includes('no backup'))
      const runs = `select run_at from jobs where name = 'mail.alerts'`
      const nextRun = async () => {
        const before = await library().rows(runs)
        library().pass(HOUR)
        await vi.waitFor(async () => expect(await library().rows(runs)).not.toEqual(before), { timeout: 30_000 })
      }
      library().pass(8 * DAY)
      await nextRun()
      await vi.waitFor(() => expect(alerts().map(({ text }) => /no backup/.test(text))).toContain(true), {
        timeout: 30_000,
      })
      const before = alerts().length
      await library().rows(`update media set damaged_at = ${library().now()} where id = ${id}`)
      await nextRun()
      await vi.waitFor(() => expect(alerts()).toHaveLength(before + 1), { timeout: 30_000 })
      expect(alerts().at(-1)).toMatchObject({ envelope: { to: [addressOf(ada)] } })
      await nextRun()
      expect(await library().rows(`select id from mails where kind = 'alert' and outcome is null`)).toEqual([])
      expect(alerts()).toHaveLength(before + 1)
    })

    test('are ended by the link in them: a POST acts without a session, a GET only asks', async () => {
      const reader = await library().newMember()
      const other = await library().newMember()
      for (const person of [reader, other]) await person.call(changeMyMail, { body: { digest: 'daily' } })
      await insertNews(library().now() + 1)
      untilMorning()
      const [mail] = await mailsTo(reader)
      const address = /<(.*)>/.exec(mail?.headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
      expect(mail?.text).toContain(address)
      const path = address.slice(library().url.origin.length)
      const page = await library().anyone.fetch(path)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(await page.text()).toContain('<form method="post">')
      expect(await library().anyone.fetch(path, { method: 'HEAD' })).toMatchObject({ status: 200 })
      const digestOf = async (person: SignedIn) => (await person.call(myMail)).digest
      expect(await digestOf(reader)).toBe('daily')
      const token = new URL(address).searchParams.get('token') ?? ''
      const [id = '', signature = ''] = token.split('.')
      const otherId = await library().idOf(other.person)
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
      const post = (query: string, by = library().anyone) =>
        by.fetch(`/mail/unsubscribe${query}`, { method: 'POST', body })
      const wrong = [`${otherId}.${signature}`, `${id}.`, `${id}`, signature, `0${token}`, `${token}x`, ` ${token}`]
      for (const text of [
        '',
        ...wrong.map(text => `?token=${encodeURIComponent(text)}`),
        `?token=${token}&token=${token}`,
      ]) {
        expect([text, (await post(text)).status]).toEqual([text, 404])
        expect((await post(text, await library().admin())).status).toBe(404)
        expect(await (await library().anyone.fetch(`/mail/unsubscribe${text}`)).text()).not.toContain('<form')
      }
      expect([await digestOf(reader), await digestOf(other)]).toEqual(['daily', 'daily'])
      // It is no session.
      const asSession = { headers: { authorization: `Bearer ${token.replaceAll('.', '-')}` } }
      expect((await library().anyone.fetch('/api/me/mail', asSession)).status).toBe(401)
      expect((await post(`?token=${token}`)).status).toBe(200)
      expect([await digestOf(reader), await digestOf(other)]).toEqual(['off', 'daily'])
      // Somebody else's session makes no difference.
      await reader.call(changeMyMail, { body: { digest: 'weekly' } })
      expect((await post(`?token=${token}`, other)).status).toBe(200)
      expect([await digestOf(reader), await digestOf(other)]).toEqual(['off', 'daily'])
      expect((await post(`?token=${token}`)).status).toBe(200)
    })

    /** A file that somebody has added. */
    async function insertNews(date: number): Promise<void> {
      await insertMedia(library(), [{ name: 'new.jpg', date, by: await library().idOf('ada') }])
    }
  },
  { environment, at },
)

onOneEngine('without a mail server', library => {
  test('nothing about mails is offered, and none are kept', async () => {
    const person = await library().newMember()
    expect(await person.call(myMail)).toMatchObject({ available: false, digest: 'off' })
    const refused = { status: 409, code: 'conflict' }
    await expect(person.call(changeMyMail, { body: { digest: 'daily' } })).rejects.toMatchObject(refused)
    await expect(person.call(tryMail)).rejects.toMatchObject(refused)
    const ada = await library().admin()
    expect(await ada.call(mailStatus)).toMatchObject({ configured: false, from: null, waiting: 0, last_error: null })
    expect(await library().rows('select id from mails')).toEqual([])
  })
})
