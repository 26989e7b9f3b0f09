import { expect, test } from 'vitest'
import { whoAmI } from '#contract/auth.ts'
import { session as limits } from '#contract/limits.ts'
import { endAllSessions, endOwnSession, listSessions } from '#contract/sessions.ts'
import { onBothEngines } from '../../test/library.ts'
import { deviceName } from './device-name.ts'

const signedOut = { status: 401 }

onBothEngines("a person's sessions", library => {
  test('are listed for that person alone, with the one in use', async () => {
    const phone = await library().newMember()
    const tablet = await library().signInAs(phone.person)
    const sessions = await tablet.call(listSessions)
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect(JSON.stringify(sessions)).not.toContain(tablet.token)
    const stranger = await library().newMember()
    expect(await stranger.call(listSessions)).toHaveLength(1)
    // Neither can somebody else end one.
    const params = { session: sessions[0]?.id ?? '' }
    await expect(stranger.call(endOwnSession, { params })).rejects.toMatchObject({ status: 404 })
  })

  test('end one by one, or all at once', async () => {
    const phone = await library().newMember()
    const [tablet, lost] = [await library().signInAs(phone.person), await library().signInAs(phone.person)]
    const own = (await lost.call(listSessions)).find(({ current }) => current)
    await phone.call(endOwnSession, { params: { session: own?.id ?? '' } })
    await expect(lost.call(whoAmI)).rejects.toMatchObject(signedOut)
    await tablet.call(whoAmI)
    await phone.call(endAllSessions)
    for (const device of [phone, tablet]) await expect(device.call(whoAmI)).rejects.toMatchObject(signedOut)
    const id = await library().idOf(phone.person)
    const lines = await library().rows(
      `select action from audit_log where actor_id = ${id} and action like 'session.end%' order by id`,
    )
    expect(lines).toEqual([{ action: 'session.end' }, { action: 'session.end-all' }])
  })

  test('are read while something else is being changed', async () => {
    const member = await library().newMember()
    library().pass(limits.touchEvery * 2)
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const db = await library().database()
    const change = db.transaction(async tx => {
      await tx.updateTable('sessions').set({ device: 'Changed' }).execute()
      begun.resolve()
      await over.promise
    })
    await begun.promise
    await member.call(whoAmI)
    over.resolve()
    await change
  })

  test('are written to at most every few minutes', async () => {
    const member = await library().newMember()
    const lastUse = async () => Date.parse((await member.call(listSessions))[0]?.last_used_at ?? '')
    const first = await lastUse()
    library().pass(limits.touchEvery / 2)
    expect(await lastUse()).toBe(first)
    library().pass(limits.touchEvery)
    await member.call(whoAmI)
    await expect.poll(lastUse).toBeGreaterThan(first)
  })
})

test('a device is named by its browser and system, and by nothing that it says itself', () => {
  const chrome =
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36'
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1'
  expect(deviceName(chrome)).toBe('Chrome on Android')
  expect(deviceName(safari)).toBe('Safari on iPhone')
  expect(deviceName('<script>')).toBeNull()
  expect(deviceName(undefined)).toBeNull()
})
