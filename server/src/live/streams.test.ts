import { describe, expect, test } from 'vitest'
import { logOut } from '#contract/auth.ts'
import { live } from '#contract/limits.ts'
import { livePath } from '#contract/live.ts'
import { revokePerson } from '#contract/people.ts'
import { onBothEngines } from '../../test/library.ts'
import { listen } from '../../test/listener.ts'
import { announce } from './announce.ts'

onBothEngines('live streams', library => {
  test('ends at once when its session is logged out, and no other stream of the person does', async () => {
    const member = await library().newMember()
    const elsewhere = await library().signInAs(member.person)
    const [here, there] = [await listen(member), await listen(elsewhere)]
    await member.call(logOut)
    await here.ended
    expect((await member.fetch(livePath)).status).toBe(401)
    await library().admin()
    const another = await listen(elsewhere)
    another.cut()
    expect(there.heard).toEqual([])
  })
})
