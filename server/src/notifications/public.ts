export {
  conversationLeft,
  conversationRead,
  deleteHeartsAndNotifications,
  notifyOfAccessRequest,
  notifyOfAlbumComment,
  notifyOfGuestUpload,
  notifyOfHearts,
  notifyOfMessage,
  notifyOfNote,
  notifyOfTag,
  notifyOfWelcome,
} from './notify.ts'
