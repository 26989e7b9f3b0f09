export {
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
  namesOf,
  type RenderedNotification,
} from './render.ts'
