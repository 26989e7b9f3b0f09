import { startDirect } from '#contract/chat.ts'
import { revokePerson } from '#contract/people.ts'
import { chatOn, sideOf } from './support/chat.ts'
import { expect, test } from './support/members.ts'

test('two people chat: start, notification, mention, read status, typing, reply', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const [adas, bens] = [chatOn(ada.page), chatOn(ben.page)]

  await adas.open()
  await expect(adas.window.getByText('No conversations yet')).toBeVisible()
  await expect(adas.window.getByText('Start a conversation with family members!')).toBeVisible()
  await adas.window.getByRole('button', { name: 'New conversation' }).last().click()
  const dialog = ada.page.getByRole('dialog', { name: 'New conversation' })
  await dialog.getByPlaceholder('Search family members...').fill('okafo')
  await dialog.getByRole('button', { name: 'Ben Okafor' }).click()
  await dialog.getByRole('button', { name: 'Start Chat' }).click()
  await expect(adas.window.getByText('Start the conversation!')).toBeVisible()
  await expect(adas.field).toHaveAttribute('placeholder', 'Type a message... Use @username to mention someone')

  await adas.field.pressSequentially('Look here @be')
  await expect(ada.page.getByRole('option', { name: 'Ben Okafor' })).toBeVisible()
  await adas.field.press('Enter')
  await adas.field.pressSequentially('please')
  await adas.field.press('Enter')
  await expect(adas.message('Look here @ben please')).toBeVisible()
  await expect(adas.log.getByText('Today')).toBeVisible()

  await expect(bens.button).toHaveAccessibleName('Chat, 1 unread')
  await bens.open()
  const row = bens.window.getByRole('listitem').filter({ hasText: 'Ada Okafor' })
  await expect(row).toContainText('Look here @ben please')
  await expect(row).toContainText(/\d\d:\d\d/)
  await expect(row).toContainText('1 unread')
  await bens.openConversation('Ada Okafor')
  await expect(bens.log.getByText('@ben')).toHaveCSS('text-decoration-line', 'underline')
  expect(await sideOf(bens.log, bens.message('Look here'))).toBe('left')
  expect(await sideOf(adas.log, adas.message('Look here'))).toBe('right')
  await expect(adas.log.getByText(/^Read \d\d:\d\d$/)).toBeVisible()

  await bens.field.pressSequentially('One line')
  await expect(adas.typing('Ben Okafor is typing…')).toBeVisible()
  await bens.field.press('Shift+Enter')
  await bens.field.pressSequentially('and another')
  await bens.field.press('Enter')
  await expect(adas.message('One line and another')).toBeVisible()
  await expect(adas.typing('Ben Okafor is typing…')).toBeHidden()
  expect(await adas.words()).toEqual(['Look here @ben please', 'One line\nand another'])
  // Displaying a message marks it as read.
  await expect(bens.log.getByText(/^Read/)).toBeVisible()

  await bens.window.getByRole('button', { name: 'Back to all conversations' }).click()
  await expect(row).toContainText('You: One line')
  await bens.window.getByRole('button', { name: 'Close chat' }).click()
  await expect(bens.button).toBeFocused()
  await expect(bens.button).toHaveAccessibleName('Chat')
})

test('a group chat: choosing people, naming, renaming, joining and leaving', async ({ openAs }) => {
  const [ada, ben, rose] = [await openAs('ada'), await openAs('ben'), await openAs('rose')]
  const [adas, bens, roses] = [chatOn(ada.page), chatOn(ben.page), chatOn(rose.page)]

  await test.step('choosing a second person makes a group, taking one out makes it direct again', async () => {
    await adas.open()
    await adas.window.getByRole('button', { name: 'New conversation' }).last().click()
    const dialog = ada.page.getByRole('dialog', { name: 'New conversation' })
    const [direct, group] = [
      dialog.getByRole('tab', { name: 'Direct Message' }),
      dialog.getByRole('tab', { name: 'Group Chat' }),
    ]
    const people = dialog.getByRole('list', { name: 'Family members' })
    await people.getByRole('button', { name: 'Ben Okafor' }).click()
    await expect(direct).toHaveAttribute('aria-selected', 'true')
    // Nothing is missing: the empty region stays, so that screen readers announce what it says next.
    const missing = dialog.getByRole('status')
    await expect(missing).toHaveText('')
    await expect(missing).toHaveCount(1)
    await people.getByRole('button', { name: 'Grandma Rose' }).click()
    await expect(missing).not.toHaveText('')
    await expect(group).toHaveAttribute('aria-selected', 'true')
    await expect(people.getByRole('button', { name: 'Grandma Rose' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Remove Grandma Rose' }).click()
    await expect(direct).toHaveAttribute('aria-selected', 'true')
    await people.getByRole('button', { name: 'Grandma Rose' }).click()
    const create = dialog.getByRole('button', { name: 'Create Group' })
    await expect(create).toBeDisabled()
    await dialog.getByLabel('Group Name').fill('Summer')
    await create.click()
    await expect(adas.window.getByRole('heading', { name: 'Summer' })).toBeVisible()
    await expect(adas.window.getByText('3 participants')).toBeVisible()
  })

  await test.step('everyone in it hears what is said', async () => {
    await adas.say('Who brings the boat?')
    for (const theirs of [bens, roses]) {
      await expect(theirs.button).toHaveAccessibleName('Chat, 1 unread')
      await theirs.open()
      await theirs.openConversation('Summer')
      await expect(theirs.message('Who brings the boat?')).toContainText('Ada Okafor')
    }
    await bens.say('I do')
    await expect(roses.message('I do')).toBeVisible()
    await expect(adas.message('I do')).toContainText('Ben Okafor')
    // Groups show no read receipts.
    await expect(adas.log.getByText(/^Read/)).toHaveCount(0)
  })

  await test.step('it is given another name', async () => {
    await bens.window.getByRole('button', { name: 'Group options' }).click()
    await ben.page.getByRole('menuitem', { name: 'Rename group' }).click()
    await ben.page.getByLabel('Group Name').fill('Summer by the lake')
    await ben.page.getByRole('button', { name: 'Save' }).click()
    await expect(roses.window.getByRole('heading', { name: 'Summer by the lake' })).toBeVisible()
  })

  await test.step('who leaves sees and hears no more of it', async () => {
    await roses.window.getByRole('button', { name: 'Group options' }).click()
    await rose.page.getByRole('menuitem', { name: 'Leave group' }).click()
    await rose.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
    await expect(roses.window.getByText('No conversations yet')).toBeVisible()
    await expect(adas.window.getByText('2 participants')).toBeVisible()
    await adas.say('Rose does not hear this')
    await expect(bens.message('Rose does not hear this')).toBeVisible()
    await expect(roses.window.getByText('No conversations yet')).toBeVisible()
  })

  await test.step('and can be brought back', async () => {
    await adas.window.getByRole('button', { name: 'Group options' }).click()
    await ada.page.getByRole('menuitem', { name: 'Add people' }).click()
    const dialog = ada.page.getByRole('dialog', { name: 'Add people' })
    await dialog.getByRole('button', { name: 'Grandma Rose' }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(adas.window.getByText('3 participants')).toBeVisible()
    await roses.openConversation('Summer by the lake')
    await expect(roses.message('Rose does not hear this')).toBeVisible()
  })
})

test('revoking access ends an open chat at once', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const { id } = await ben.caller.call(startDirect, { body: { otherUserId: ada.id } })
  expect(id).toBeGreaterThan(0)
  const bens = chatOn(ben.page)
  await bens.open()
  await bens.openConversation('Ada Okafor')
  await bens.say('Still here')
  await expect(bens.message('Still here')).toBeVisible()
  await ada.caller.call(revokePerson, { params: { id: ben.id } })
  await expect(ben.page).toHaveURL('/login', { timeout: 10_000 })
  expect(await ben.page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
})
