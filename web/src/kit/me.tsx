import { createContext, type ReactNode, useContext } from 'react'
import type { User } from '#contract/people.ts'
import { type Act, can, canEditNote } from '#contract/rights.ts'

const MeContext = createContext<User | null>(null)

/** The signed-in person, for the whole page below it. */
export function MeProvider({ user, children }: { user: User; children: ReactNode }) {
  return <MeContext value={user}>{children}</MeContext>
}

export function useMe(): User | null {
  return useContext(MeContext)
}

/** Whether the signed-in person has a right. Without a session nobody has any. What a person may not do is not offered. */
export function useCan(act: Act): boolean {
  const me = useContext(MeContext)
  return me !== null && can(me.role, act)
}

export function useCanEditNote(note: { username: string }): boolean {
  const me = useContext(MeContext)
  return me !== null && canEditNote({ role: me.role, isAuthor: note.username === me.username })
}
