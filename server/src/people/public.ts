export { admit, type ListedEmails } from './admission.ts'
export { comparableEmail, isAsciiEmail } from './email.ts'
export { personById, setAvatar } from './people.sql.ts'
export { type AvatarUrl, asUser } from './present.ts'
