export {
  conversationLeft,
  conversationRead,
  forgetHearts,
  notifyOfAccessRequest,
  notifyOfHearts,
  notifyOfMessage,
  notifyOfNote,
  notifyOfTag,
  notifyOfWelcome,
} from './notify.ts'
