import { z } from 'zod'
import { asName, ClientId, Id, IdInPath, isVisible, Moment, withoutControlCharacters } from './common.ts'
import { endpoint } from './endpoint.ts'
import { chat, lengths } from './limits.ts'
import { PageBefore } from './notifications.ts'
import { Person } from './people.ts'
import { refusal } from './refusal.ts'

/** A person in a conversation. */
export const Participant = Person.extend({
  avatar_url: z.string().nullable(),
  last_read_id: z.number().int().nonnegative().describe('The newest message they have read; 0 for none'),
  last_read_at: Moment.nullable(),
})
export type Participant = z.infer<typeof Participant>

/** The fields of a photo or video that its card in a conversation shows. */
export const SharedFile = z.object({
  id: Id,
  original_name: z.string(),
  file_type: z.enum(['image', 'video']),
  thumbnail_url: z.string().nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  thumbhash: z.string().nullable(),
})
export type SharedFile = z.infer<typeof SharedFile>

export const Conversation = z.object({
  id: Id,
  type: z.enum(['direct', 'group']),
  title: z.string().describe("The group's name, or the other person's"),
  unread_count: z.number().int().nonnegative(),
  last_message: z.string().nullable(),
  last_message_at: Moment.nullable(),
  last_message_file: SharedFile.shape.file_type.nullable().describe('What was sent along with it, be the text empty'),
  last_message_sender: z.string().nullable().describe('A username'),
  participant_count: z.number().int().positive(),
  participants: z.array(Participant).describe('Who is in it now, the caller included'),
})
export type Conversation = z.infer<typeof Conversation>

export const Message = z.object({
  id: Id,
  content: z.string(),
  sender_id: Id,
  sender_name: z.string(),
  sender_username: z.string(),
  sender_avatar_url: z.string().nullable(),
  created_at: Moment,
  client_id: z.string().nullable().describe("The sender's own id of it: sending it twice makes one message"),
  media_id: Id.nullable().describe('The file that was sent along'),
  media: SharedFile.nullable().describe('Null where none was sent, or it has been deleted since'),
})
export type Message = z.infer<typeof Message>

export const MessageContent = z
  .string()
  .overwrite(withoutControlCharacters)
  .trim()
  .max(lengths.message, refusal('chat.tooLong', { count: lengths.message }))

export const GroupTitle = z
  .string()
  .overwrite(asName)
  .max(lengths.groupTitle, refusal('chat.groupNameTooLong', { count: lengths.groupTitle }))
  .refine(isVisible, refusal('chat.groupNameMissing'))

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/conversations',
  summary: "The caller's conversations, the one with the newest message first",
  act: 'chat.use',
  offline: true,
  answer: z.array(Conversation),
})

export const getConversation = endpoint({
  method: 'GET',
  path: '/api/conversations/:id',
  summary: 'One conversation of the caller',
  act: 'chat.use',
  offline: true,
  params: IdInPath,
  answer: Conversation,
})

export const startDirect = endpoint({
  method: 'POST',
  path: '/api/conversations/direct',
  summary: 'The conversation with one other person: made when there is none yet',
  act: 'chat.use',
  body: z.object({ otherUserId: Id }),
  status: 201,
  answer: Conversation,
})

export const createGroup = endpoint({
  method: 'POST',
  path: '/api/conversations/group',
  summary: 'Begin a conversation of several people',
  act: 'chat.use',
  serializedPerPerson: true,
  body: z.object({
    title: GroupTitle,
    participantIds: z.array(Id).min(chat.leastInGroup, refusal('chat.chooseTwo')).max(1_000),
  }),
  status: 201,
  answer: Conversation,
})

export const renameGroup = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id',
  summary: "Change a group's name",
  act: 'chat.use',
  params: IdInPath,
  body: z.object({ title: GroupTitle }),
  answer: Conversation,
})

export const addToGroup = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/participants',
  summary: 'Bring people into a group; they see what was said before',
  act: 'chat.use',
  params: IdInPath,
  body: z.object({ participantIds: z.array(Id).min(1, refusal('chat.chooseOne')).max(1_000) }),
  answer: Conversation,
})

export const leaveGroup = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/leave',
  summary: 'Leave a group: from then on it does not exist for the caller',
  act: 'chat.use',
  params: IdInPath,
})

export const readConversation = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/read',
  summary: 'Say that everything up to now has been read',
  act: 'chat.use',
  params: IdInPath,
})

export const typing = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/typing',
  summary: 'Let the others see for a few seconds that the caller is writing',
  act: 'chat.use',
  params: IdInPath,
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/messages/:id',
  summary: 'The newest messages of a conversation, oldest first; with `before` those before one',
  act: 'chat.use',
  offline: true,
  serializedPerPerson: true,
  params: IdInPath,
  query: PageBefore,
  answer: z.array(Message),
})

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/messages/:id',
  summary:
    'Say something in a conversation. With a `client_id`, sending it again answers the message that was made the first time',
  act: 'chat.use',
  params: IdInPath,
  body: z
    .object({
      content: MessageContent.default(''),
      client_id: ClientId.optional(),
      media_id: Id.optional().describe('A photo or video to send along; the text may then be empty'),
    })
    .refine(message => isVisible(message.content) || message.media_id !== undefined, refusal('chat.empty')),
  status: 201,
  answer: Message,
})
