export {
  conversationLeft,
  conversationRead,
  forgetHearts,
  notifyOfAccessRequest,
  notifyOfAlbumComment,
  notifyOfHearts,
  notifyOfMessage,
  notifyOfNote,
  notifyOfTag,
  notifyOfWelcome,
} from './notify.ts'
