export {
  type GuestSessionDeps,
  issueGuestId,
  linkCookie,
  notIndexed,
  openUploadLink,
  readGuestId,
  stillOpen,
  type UploadLink,
} from './guests.ts'
export { findGuest } from './links.sql.ts'
