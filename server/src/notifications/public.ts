export { notice } from './notices.ts'
export {
  accessRequestDecided,
  conversationLeft,
  conversationRead,
  notifyOfAccessRequest,
  notifyOfComment,
  notifyOfMemories,
  notifyOfMessage,
  notifyOfTag,
  notifyOfWelcome,
} from './notify.ts'
export {
  type AggregatedFacts,
  type AggregatedNotifications,
  gone,
  type RenderedNotification,
  valuesOfPeople,
} from './render.ts'
