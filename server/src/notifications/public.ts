export { conversationLeft, conversationRead, notifyOfMessage } from './messages.ts'
export { notifyOfAccessRequest, notifyOfWelcome } from './people.ts'
export { notifyOfNote, notifyOfTag } from './stories.ts'
