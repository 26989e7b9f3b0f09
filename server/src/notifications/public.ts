export {
  conversationLeft,
  conversationRead,
  notifyOfAccessRequest,
  notifyOfMessage,
  notifyOfNote,
  notifyOfTag,
  notifyOfWelcome,
} from './notify.ts'
