export { admit, type ListedEmails } from './admission.ts'
export { comparableEmail } from './email.ts'
export { type InvitationLinkDeps, invitationLink, openInvitation } from './invitations.ts'
export { emailsOfNamesakes } from './namesakes.ts'
export {
  activateDemoAccounts,
  approvedAdminIds,
  approvedAdmins,
  deactivateDemoAccounts,
  demoIssuer,
  personById,
  setAvatar,
  setProviderPicture,
} from './people.sql.ts'
export { type AvatarUrl, signedInUser } from './present.ts'
export { changeSettings, OWN_PICTURE, readSettings } from './settings.ts'
