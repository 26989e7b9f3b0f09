export {
  conversationLeft,
  conversationRead,
  deleteHeartsAndNotifications,
  notifyOfAccessRequest,
  notifyOfAlbumComment,
  notifyOfGuestUpload,
  notifyOfHearts,
  notifyOfMemories,
  notifyOfMessage,
  notifyOfNote,
  notifyOfTag,
  notifyOfWelcome,
} from './notify.ts'
