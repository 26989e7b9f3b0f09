import { expect, test, toast } from './support/family.ts'

test('an app password is made in My settings, shown once, used by a program, and ended', async ({
  deviceOf,
  insertPhotos,
}) => {
  await insertPhotos('lake.jpg')
  const page = await deviceOf('Ben Okafor')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'App passwords' })
  await expect(section).toContainText('You have no app passwords.')

  await section.getByRole('button', { name: 'Make an app password' }).click()
  await page.getByRole('button', { name: 'Make', exact: true }).click()
  await expect(toast(page, 'Please say what it is for')).toBeVisible()
  await page.getByLabel('What it is for').fill('Backup of my phone')
  await page.getByLabel('What the program may do').selectOption('read')
  await page.getByRole('button', { name: 'Make', exact: true }).click()
  const made = page.getByRole('dialog', { name: 'The password for “Backup of my phone”' })
  const password = await made.getByLabel('App password').inputValue()
  await made.getByRole('button', { name: 'Copy' }).click()
  await expect(made.getByText('Copied')).toBeVisible()
  await made.getByRole('button', { name: 'Done' }).click()
  await expect(section).toContainText('never used')

  const headers = { authorization: `Bearer ${password}` }
  const asProgram = () => page.request.get('/api/media?limit=1', { headers })
  expect((await asProgram()).status()).toBe(200)
  await page.reload()
  await expect(section).toContainText(/Backup of my phone\s*May read the library\s*Made on .+, last used .+ from /)
  expect(await page.content()).not.toContain(password)

  await section.getByRole('button', { name: 'End' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click()
  await expect(toast(page, 'The app password has ended')).toBeVisible()
  await expect(section).toContainText('You have no app passwords.')
  expect((await asProgram()).status()).toBe(401)
})
