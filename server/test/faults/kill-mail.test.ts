import { describe, expect, test } from 'vitest'
import { tryMail } from '#contract/mail.ts'
import { type ReceivedMail, startMailServer } from '../fixtures/mail-server.ts'
import { engines } from '../library.ts'
import { newServerData, startServer } from './server-process.ts'
import { endClaims } from './upload-storm.ts'

describe.each(engines)('a mail (%s)', engine => {
  test('comes twice only if the server is killed before it has recorded it, and then with the same Message-ID', async () => {
    const smtp = await startMailServer()
    const serverData = await newServerData(engine)
    const environment = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'photos@family.example' }
    const server = await startServer(serverData, environment)
    const accepted = Promise.withResolvers<void>()
    const killed = Promise.withResolvers<void>()
    const seen: ReceivedMail[] = []
    smtp.answer = async mail => {
      seen.push(mail)
      // The mail server has all of it, and will keep it whether or not anybody hears the answer.
      accepted.resolve()
      await killed.promise
      return 'accept' as const
    }
    await server.ada.call(tryMail)
    await accepted.promise
    await server.kill()
    killed.resolve()
    expect(await serverData.rows('select outcome from mails')).toEqual([{ outcome: null }])
    await endClaims(serverData)

    const next = await startServer(serverData, environment)
    const [first, second] = await smtp.mailsTo('ada@example.org', 2)
    expect(second?.headers.get('message-id')).toBe(first?.headers.get('message-id'))
    expect(second?.headers.get('date')).toBe(first?.headers.get('date'))
    const recorded = () => serverData.rows('select outcome from mails')
    await expect.poll(recorded, { timeout: 30_000 }).toEqual([{ outcome: 'sent' }])
    await next.kill()
    await endClaims(serverData)

    // One that is recorded is not sent again.
    const last = await startServer(serverData, environment)
    await last.ada.call(tryMail)
    await smtp.mailsTo('ada@example.org', 3)
    expect(seen).toHaveLength(3)
    expect(seen[2]?.headers.get('message-id')).not.toBe(first?.headers.get('message-id'))
    await last.stop()
    await smtp.close()
  }, 120_000)
})
