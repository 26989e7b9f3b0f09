export { linkCookie, notIndexed } from './cookies.ts'
export {
  type GuestSessionDeps,
  issueGuestId,
  openUploadLink,
  readGuestId,
  stillOpen,
  type UploadLink,
} from './guests.ts'
export { findGuest } from './links.sql.ts'
