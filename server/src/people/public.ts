export { admit, type ListedEmails } from './admission.ts'
export { comparableEmail } from './email.ts'
export { activateDemoAccounts, deactivateDemoAccounts, demoIssuer, personById, setAvatar } from './people.sql.ts'
export { type AvatarUrl, signedInUser } from './present.ts'
