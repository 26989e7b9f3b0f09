export {
  endsWithLink,
  type GuestSessionDeps,
  issueGuestId,
  linkCookie,
  notIndexed,
  openUploadLink,
  readGuestId,
  requireOpenLink,
  type UploadLink,
} from './guests.ts'
export { findGuest } from './links.sql.ts'
