export {
  conversationLeft,
  conversationRead,
  deleteHeartsAndNotifications,
  notifyOfAccessRequest,
  notifyOfAlbumComment,
  notifyOfHearts,
  notifyOfMessage,
  notifyOfNote,
  notifyOfTag,
  notifyOfWelcome,
} from './notify.ts'
