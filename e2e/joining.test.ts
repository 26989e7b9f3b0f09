import { expect, rowOf, signIn, test, toast, withoutLiveEvents } from './support/family.ts'

const denied = 'Access denied. Your email address is not authorized to access this application.'
const call = 'Call Mum and ask her to let the admin know you are trying to get in'

test('a cousin requests access, is approved by Ada, made a viewer, and revoked', async ({
  newDevice,
  deviceOf,
  insertPhotos,
}) => {
  await insertPhotos('lake.jpg')
  const kofis = await newDevice()
  await signIn(kofis, 'Kofi Mensah')
  await expect(kofis).toHaveURL('/login?error=pending_approval')
  const notice = kofis.getByRole('alert')
  await expect(notice.getByText(denied, { exact: true })).toBeVisible()
  await expect(notice.getByText(call, { exact: true })).toBeVisible()
  const waiting = kofis.getByRole('region', { name: 'Waiting for approval' })
  await expect(waiting).toContainText('This page opens by itself as soon as you are let in.')
  await expect(waiting).toContainText(/Your request arrived on .+\. We have let the admin know\./)
  // A welcome, not a page that asks to sign in once more.
  await expect(waiting.getByRole('heading', { name: 'Welcome! You are almost there.' })).toBeVisible()
  await expect(kofis.getByText('Sign in to your account')).toHaveCount(0)
  await expect(kofis.getByText('Not you?')).toBeVisible()
  await expect(kofis.getByRole('button', { name: 'Continue with Google' })).toBeVisible()

  const adas = await deviceOf('Ada Okafor')
  await adas.getByRole('link', { name: 'Admin' }).click()
  await expect(adas).toHaveURL('/admin')
  await expect(adas.getByRole('tab', { name: 'Pending 1' })).toHaveAttribute('aria-selected', 'true')
  const request = rowOf(adas, 'Kofi Mensah')
  await expect(request).toContainText('kofi@okafor.example')
  await expect(request).toContainText(/Requested \S+/)
  await request.getByRole('button', { name: 'Approve' }).click()
  await expect(toast(adas, 'User approved successfully!')).toBeVisible()
  await expect(adas.getByRole('tab', { name: 'Pending 0' })).toBeVisible()

  // His page signs in again by itself, and the provider still knows who he is.
  await expect(kofis).toHaveURL('/')
  await expect(toast(kofis, 'Successfully signed in!')).toBeVisible()
  await expect(kofis.getByText('Shared family photos and videos')).toBeVisible()
  await expect(kofis.getByRole('link', { name: 'Admin' })).toHaveCount(0)

  await adas.getByRole('tab', { name: 'Approved 2' }).click()
  const member = rowOf(adas, 'Kofi Mensah')
  await expect(member).toContainText(/Approved \S+/)

  await expect(adas.getByRole('region', { name: 'The library' })).toContainText('Last backupNone yet')
  await expect(adas.getByRole('table', { name: 'Added in the last twelve months' }).getByRole('row')).toHaveCount(13)
  await member.getByRole('link', { name: 'Kofi Mensah' }).click()
  await expect(adas.getByRole('heading', { name: 'Kofi Mensah' })).toBeVisible()
  await expect(adas.getByText('No photos yet')).toBeVisible()
  await adas.goBack()

  // As a viewer he is offered nothing that he may not do, at once.
  await expect(kofis.getByRole('button', { name: 'Upload' }).first()).toBeVisible()
  await member.getByRole('button', { name: 'Member' }).click()
  await adas.getByRole('menuitem', { name: 'Make viewer' }).click()
  await expect(toast(adas, 'Kofi Mensah is a viewer now')).toBeVisible()
  await expect(kofis.getByRole('button', { name: 'Upload' })).toHaveCount(0)
  await expect(kofis.getByRole('button', { name: 'New Folder' })).toHaveCount(0)
  await kofis.getByRole('gridcell', { name: 'lake.jpg' }).press('ContextMenu')
  await expect(kofis.getByRole('menuitem')).toHaveText(['Open', 'Add note', 'Download'])
  await kofis.keyboard.press('Escape')
  await kofis.getByRole('gridcell', { name: 'lake.jpg' }).press('Space')
  const bulk = kofis.getByRole('region', { name: 'Selected files' })
  await expect(bulk.getByRole('button')).toHaveText(['', 'Favourites', 'Download', ''])
  await kofis.keyboard.press('Escape')
  await kofis.getByRole('gridcell', { name: 'lake.jpg' }).press('Enter')
  const viewer = kofis.getByRole('dialog')
  await expect(viewer.getByRole('button', { name: 'Download' })).toBeVisible()
  await expect(viewer.getByRole('button', { name: /Rename|Delete|More/ })).toHaveCount(0)
  await expect(viewer.getByRole('button', { name: 'Add note' })).toBeVisible()
  await kofis.keyboard.press('Escape')

  await member.getByRole('button', { name: 'Revoke' }).click()
  await adas.getByRole('alertdialog').getByRole('button', { name: 'Revoke access' }).click()
  await expect(toast(adas, 'User access revoked')).toBeVisible()
  await expect(rowOf(adas, 'Kofi Mensah')).toHaveCount(0)

  await expect(kofis).toHaveURL('/login')
  await expect(kofis.getByRole('alert').getByText(denied, { exact: true })).toBeVisible()
  expect(await kofis.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
})

test('a denied person sees it and can be approved later', async ({ newDevice, deviceOf }) => {
  const ineses = await newDevice()
  await signIn(ineses, 'Inês Duarte')
  await expect(ineses).toHaveURL('/login?error=pending_approval')

  const adas = await deviceOf('Ada Okafor')
  await adas.goto('/admin')
  await rowOf(adas, 'Inês Duarte').getByRole('button', { name: 'Deny' }).click()
  await expect(toast(adas, 'User denied')).toBeVisible()
  await expect(ineses.getByText('Your request was not approved.')).toBeVisible()

  await signIn(ineses, 'Inês Duarte')
  await expect(ineses).toHaveURL('/login?error=auth_failed')
  await expect(ineses.getByRole('alert').getByText(denied, { exact: true })).toBeVisible()
  await expect(ineses.getByText('Call Mum')).toHaveCount(0)

  await adas.getByRole('tab', { name: 'Denied 1' }).click()
  await expect(rowOf(adas, 'Inês Duarte')).toContainText(/Denied \S+/)
  await rowOf(adas, 'Inês Duarte').getByRole('button', { name: 'Re-approve' }).click()
  await expect(toast(adas, 'User re-approved successfully!')).toBeVisible()
  await signIn(ineses, 'Inês Duarte')
  await expect(ineses).toHaveURL('/')
})

test('the admin page shows counts, and a message for each empty list', async ({ deviceOf }) => {
  const adas = await deviceOf('Ada Okafor')
  await adas.goto('/admin')
  const cards = adas.getByRole('main').getByRole('list').first().getByRole('listitem')
  await expect(cards).toHaveText(['Pending 0', 'Approved 1', 'Denied 0', 'Your Role: Admin'])

  await expect(adas.getByText('No pending users', { exact: true })).toBeVisible()
  await expect(adas.getByText('All users have been reviewed.', { exact: true })).toBeVisible()
  await adas.getByRole('tab', { name: 'Denied 0' }).click()
  await expect(adas.getByText('No denied users', { exact: true })).toBeVisible()
  await expect(adas.getByText('No users have been denied yet.', { exact: true })).toBeVisible()

  // A library always has an approved admin, so the empty list is faked in the response.
  await adas.route('**/api/admin/stats', async route => {
    const stats = await (await route.fetch()).json()
    await route.fulfill({ json: { ...stats, approvedUserCount: 0, approvedUsers: [] } })
  })
  await adas.goto('/admin?tab=approved')
  await expect(adas.getByText('No approved users', { exact: true })).toBeVisible()
  await expect(adas.getByText('No users have been approved yet.', { exact: true })).toBeVisible()
})

test('of two admins who decide at once, the second sees that the first has decided', async ({
  newDevice,
  deviceOf,
}) => {
  await signIn(await newDevice(), 'Kofi Mensah')
  const [desktop, phone] = [await deviceOf('Ada Okafor'), await deviceOf('Ada Okafor')]
  for (const device of [desktop, phone]) {
    await device.goto('/admin')
    await withoutLiveEvents(device)
    await expect(rowOf(device, 'Kofi Mensah')).toBeVisible()
  }
  await rowOf(desktop, 'Kofi Mensah').getByRole('button', { name: 'Approve' }).click()
  await expect(toast(desktop, 'User approved successfully!')).toBeVisible()
  await rowOf(phone, 'Kofi Mensah').getByRole('button', { name: 'Deny' }).click()
  await expect(toast(phone, 'Failed to deny user')).toBeVisible()
  await expect(toast(phone, 'This person is already approved.')).toBeVisible()
  await expect(phone.getByRole('tab', { name: 'Approved 2' })).toBeVisible()
})

test('the last admin cannot be revoked', async ({ deviceOf }) => {
  await deviceOf('Ben Okafor')
  const adas = await deviceOf('Ada Okafor')
  await adas.goto('/admin?tab=approved')
  await expect(rowOf(adas, 'Ben Okafor').getByRole('button', { name: 'Revoke' })).toBeVisible()
  await expect(rowOf(adas, 'Ada Okafor')).toBeVisible()
  await expect(rowOf(adas, 'Ada Okafor').getByRole('button', { name: 'Revoke' })).toHaveCount(0)

  // On a stale page the last admin can still be revoked; the server has to refuse it.
  await adas.route('**/api/admin/stats', async route => {
    const stats = await (await route.fetch()).json()
    const approvedUsers = stats.approvedUsers.map((person: object) => ({ ...person, role: 'admin' }))
    await route.fulfill({ json: { ...stats, approvedUsers } })
  })
  await adas.reload()
  await rowOf(adas, 'Ada Okafor').getByRole('button', { name: 'Revoke' }).click()
  await adas.getByRole('alertdialog').getByRole('button', { name: 'Revoke access' }).click()
  await expect(toast(adas, 'Failed to revoke user access')).toBeVisible()
  await adas.reload()
  await expect(adas).toHaveURL('/admin?tab=approved')
  await expect(rowOf(adas, 'Ada Okafor')).toBeVisible()
})

test('a list that fails to load shows an error with Retry', async ({ deviceOf }) => {
  const adas = await deviceOf('Ada Okafor')
  let asked = 0
  await adas.route('**/api/admin/stats', route => {
    asked += 1
    return route.abort()
  })
  await adas.goto('/admin')
  await expect(toast(adas, 'Failed to load admin data')).toBeVisible()
  expect(asked).toBe(2)
  await adas.unroute('**/api/admin/stats')
  await adas.getByRole('button', { name: 'Retry' }).click()
  await expect(adas.getByRole('tab', { name: 'Approved 1' })).toBeVisible()
})

test('a member is refused on the admin page, and changes their own settings', async ({ deviceOf }) => {
  const [bens, tablet] = [await deviceOf('Ben Okafor'), await deviceOf('Ben Okafor')]
  await bens.goto('/admin')
  await expect(bens.getByRole('heading', { name: 'This page is for admins' })).toBeVisible()
  await bens.getByRole('link', { name: 'Back to the gallery' }).click()
  await expect(bens).toHaveURL('/')

  await bens.getByRole('button', { name: 'Ben Okafor' }).click()
  await bens.getByRole('menuitem', { name: 'My settings' }).click()
  await bens.getByLabel('The name that the family sees').fill(' ')
  await bens.getByRole('button', { name: 'Save name' }).click()
  await expect(toast(bens, 'Please enter a name')).toBeVisible()
  await bens.getByLabel('The name that the family sees').fill('Uncle Ben')
  await bens.getByRole('button', { name: 'Save name' }).click()
  await expect(bens.getByRole('button', { name: 'Uncle Ben' })).toBeVisible()
  await bens.getByLabel('somebody tags a photo of mine').uncheck()
  await bens.getByLabel('Show photos').selectOption({ label: 'As a list' })
  await expect(toast(bens, 'Saved').first()).toBeVisible()
  await bens.reload()
  await expect(bens.getByLabel('somebody tags a photo of mine')).not.toBeChecked()
  await expect(bens.getByLabel('Show photos')).toHaveValue('list')

  await bens
    .getByRole('listitem')
    .filter({ hasNotText: 'this device' })
    .getByRole('button', { name: 'Sign out' })
    .click()
  await expect(tablet).toHaveURL('/login')
  await bens.getByRole('button', { name: 'Sign out everywhere' }).click()
  await bens.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(bens).toHaveURL('/login')
})
