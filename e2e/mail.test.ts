import { type MailServer, startMailServer } from '../server/test/fixtures/mail-server.ts'
import { expect, test as familyTest } from './support/family.ts'

const test = familyTest.extend<{ smtp: MailServer }>({
  smtp: async ({ playwright: _ }, use) => {
    const smtp = await startMailServer()
    await use(smtp)
    await smtp.close()
  },
  environment: async ({ smtp }, use) => {
    await use({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'photos@family.example' })
  },
})

test('somebody chooses mails of what is new, tries one, and ends them by its link without a session', async ({
  deviceOf,
  newDevice,
  smtp,
}) => {
  const page = await deviceOf('Ben Okafor')
  await page.goto('/settings')
  const choice = page.getByRole('combobox', { name: 'Mails of what is new' })
  await expect(choice).toHaveValue('off')
  await expect(page.getByText('it goes to ben@')).toBeVisible()
  await choice.selectOption({ label: 'Every Sunday, if something happened' })
  await expect(page.getByText('Saved')).toBeVisible()
  await page.reload()
  await expect(choice).toHaveValue('weekly')
  await page.getByRole('button', { name: 'Send me one to try' }).click()
  await expect(page.getByText('A mail is on its way to ben@')).toBeVisible()
  const address = /to (ben@\S+?),/.exec((await page.getByText('it goes to ben@').textContent()) ?? '')?.[1] ?? ''
  const [mail] = await smtp.mailsTo(address)
  expect(mail?.headers.get('subject')).toBe('Heirloom: a test e-mail')

  const guest = await newDevice()
  await guest.goto('/mail/unsubscribe?token=1.x')
  await expect(guest.getByText('This link is not complete.')).toBeVisible()
  await expect(guest.getByRole('button')).toHaveCount(0)
})

test('an invitation is sent from its dialog, and the admin page says what the mail server said', async ({
  deviceOf,
  smtp,
}) => {
  const page = await deviceOf('Ada Okafor')
  await page.goto('/admin?tab=invitations')
  await page.getByRole('button', { name: 'New invitation' }).click()
  await page.getByRole('combobox', { name: 'For whom?' }).selectOption('one')
  await page.getByRole('textbox', { name: 'Their e-mail address' }).fill('aunt@elsewhere.example')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByRole('button', { name: 'Send by e-mail to aunt@elsewhere.example' }).click()
  await expect(page.getByText('The invitation is on its way to aunt@elsewhere.example')).toBeVisible()
  const [mail] = await smtp.mailsTo('aunt@elsewhere.example')
  expect(mail?.text).toContain('/login#invitation=')

  smtp.answer = () => ({ refuse: 550 })
  await page.getByRole('button', { name: 'Send by e-mail to aunt@elsewhere.example' }).click()
  await expect(async () => {
    await page.goto('/admin')
    await expect(page.getByText(/Not sent on .*550/)).toBeVisible({ timeout: 2_000 })
  }).toPass()
})

familyTest('without a mail server nothing of mails is shown', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor')
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Where I am signed in' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'By e-mail' })).toHaveCount(0)
  await page.goto('/admin')
  await expect(page.getByText('To send e-mails, set SMTP_URL and MAIL_FROM on the server.')).toBeVisible()
})
