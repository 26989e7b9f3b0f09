import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/chat.ts'
import { KeyedMutex } from '../kit/keyed-mutex.ts'
import { serve } from '../kit/serve.ts'
import {
  addToGroup,
  announceTyping,
  type ChatDeps,
  createGroup,
  getConversation,
  leaveGroup,
  listConversations,
  readConversation,
  renameGroup,
  startDirect,
} from './conversations.ts'
import { listMessages, sendMessage } from './messages.ts'

/** Conversations are private to their participants; admins have no extra rights here. */
export function chatRoutes(app: FastifyInstance, deps: ChatDeps): void {
  // The row lock in the database would suffice, but serves in random order.
  const mutex = new KeyedMutex()
  serve(app, contract.listConversations, ({ caller }) => listConversations(deps, caller.id))
  serve(app, contract.getConversation, ({ caller, params }) => getConversation(deps, caller.id, params.id))
  serve(app, contract.startDirect, ({ caller, body }) => startDirect(deps, caller.id, body.otherUserId))
  serve(app, contract.createGroup, ({ caller, body }) => createGroup(deps, caller.id, body))
  serve(app, contract.renameGroup, ({ caller, params, body }) => renameGroup(deps, caller.id, params.id, body.title))
  serve(app, contract.addToGroup, ({ caller, params, body }) =>
    addToGroup(deps, caller.id, params.id, body.participantIds),
  )
  serve(app, contract.leaveGroup, ({ caller, params }) => leaveGroup(deps, caller.id, params.id))
  serve(app, contract.readConversation, ({ caller, params: { id } }) =>
    mutex.run(id, () => readConversation(deps, caller.id, id)),
  )
  serve(app, contract.typing, ({ caller, params }) => announceTyping(deps, caller.id, params.id))
  serve(app, contract.listMessages, ({ caller, params, query: { before, limit } }) =>
    listMessages(deps, caller.id, params.id, { before, limit }),
  )
  serve(app, contract.sendMessage, ({ caller, params: { id }, body: { content, client_id, media_id } }) =>
    mutex.run(id, () => sendMessage(deps, caller.id, id, { content, clientId: client_id, mediaId: media_id })),
  )
}
