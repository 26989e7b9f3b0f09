import { invitationFragment } from '#contract/invitations.ts'

let token: string | null = null

/** Removes the secret of an invitation from the URL before anything else sees it. It stays in memory for the login page. */
export function readInvitationFromUrl(): void {
  const { pathname, hash, search } = window.location
  if (!hash.startsWith(`#${invitationFragment}`)) return
  token = hash.slice(invitationFragment.length + 1)
  window.history.replaceState(null, '', `${pathname}${search}`)
}

export function openedInvitation(): string | null {
  return token
}
