import type { Feature } from '../feature.ts'
import type { ChatDeps } from './conversations.ts'
import { chatRoutes } from './routes.ts'

export const chatFeature = { routes: chatRoutes } satisfies Feature<ChatDeps>
