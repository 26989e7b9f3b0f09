import { addAlbumComment, addToAlbum } from '#contract/albums.ts'
import { SharedFile, sendMessage } from '#contract/chat.ts'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { heartFile, heartFiles, unheartFile, unheartFiles } from '#contract/hearts.ts'
import { addNote } from '#contract/notes.ts'
import { addTag, tagFiles, untagFiles } from '#contract/tags.ts'
import type { Change } from '../changes.ts'
import type { StoredCall } from '../device-store.ts'
import { endpointKey } from '../queries.ts'
import type { NewCall } from './outbox.ts'

/** What a call in the outbox is, for the page to show it. */
export type Waiting =
  | { kind: 'heart' | 'unheart'; files: readonly number[] }
  | { kind: 'note'; file: number; content: string }
  | { kind: 'comment'; album: number; content: string }
  | { kind: 'tag'; files: readonly number[]; tag: string }
  | { kind: 'untag'; files: readonly number[]; tagId: number; tag: string }
  | { kind: 'album'; album: number; files: readonly number[]; title: string }
  | { kind: 'message'; conversation: number; content: string; media: SharedFile | null }

interface CallKind<E extends Endpoint> {
  endpoint: E
  read: (input: CallInput<E>, shown: unknown) => Waiting
  /** Given a client id, by which the server recognises what is sent twice; all other calls change nothing the second time. */
  keyed?: boolean
}

const kinds = [
  kind(heartFile, ({ params }) => ({ kind: 'heart', files: [Number(params.id)] })),
  kind(unheartFile, ({ params }) => ({ kind: 'unheart', files: [Number(params.id)] })),
  kind(heartFiles, ({ body }) => ({ kind: 'heart', files: body.fileIds })),
  kind(unheartFiles, ({ body }) => ({ kind: 'unheart', files: body.fileIds })),
  kind(addTag, ({ params, body }) => ({ kind: 'tag', files: [Number(params.id)], tag: body.tagName })),
  kind(tagFiles, ({ body }) => ({ kind: 'tag', files: body.fileIds, tag: body.tagName })),
  kind(untagFiles, ({ body }, shown) => ({
    kind: 'untag',
    files: body.fileIds,
    tagId: body.tagId,
    tag: textOf(shown),
  })),
  kind(addToAlbum, ({ params, body }, shown) => ({
    kind: 'album',
    album: Number(params.id),
    files: body.fileIds,
    title: textOf(shown),
  })),
  kind(addNote, ({ params, body }) => ({ kind: 'note', file: Number(params.id), content: body.content }), true),
  kind(
    addAlbumComment,
    ({ params, body }) => ({ kind: 'comment', album: Number(params.id), content: body.content }),
    true,
  ),
  kind(
    sendMessage,
    ({ params, body }, shown) => ({
      kind: 'message',
      conversation: Number(params.id),
      content: body.content ?? '',
      media: SharedFile.safeParse(shown).data ?? null,
    }),
    true,
  ),
]

function kind<E extends Endpoint>(endpoint: E, read: CallKind<E>['read'], keyed = false): CallKind<Endpoint> {
  return { endpoint, read: read as CallKind<Endpoint>['read'], keyed }
}

function textOf(shown: unknown): string {
  return typeof shown === 'string' ? shown : ''
}

function kindOf(call: string): CallKind<Endpoint> | undefined {
  return kinds.find(({ endpoint }) => nameOf(endpoint) === call)
}

function nameOf(endpoint: Endpoint): string {
  return endpointKey(endpoint)[0]
}

export function endpointOf({ call }: StoredCall): Endpoint | undefined {
  return kindOf(call)?.endpoint
}

/** Undefined for one that another version has stored. */
export function readCall({ call, input, shown }: Pick<StoredCall, 'call' | 'input' | 'shown'>): Waiting | undefined {
  const known = kindOf(call)
  if (known === undefined) return undefined
  const { params, body } = known.endpoint
  const given = input as CallInput<Endpoint>
  if (!params.safeParse(given.params).success || !body.safeParse(given.body).success) return undefined
  return known.read(given, shown)
}

export function newCall<E extends Endpoint>(endpoint: E, input: CallInput<E>, shown: unknown, id: string): NewCall {
  const call = nameOf(endpoint)
  const { keyed } = kindOf(call) ?? {}
  const { body } = input as CallInput<Endpoint>
  const withId = keyed ? { ...input, body: { ...(body as object), client_id: id } } : input
  return { call, input: withId, shown }
}

export function lanesOf(call: StoredCall): readonly string[] {
  const waiting = readCall(call)
  if (waiting === undefined) return []
  switch (waiting.kind) {
    case 'comment':
    case 'album':
      return [`album ${waiting.album}`]
    case 'message':
      return [`conversation ${waiting.conversation}`]
    case 'note':
      return [`file ${waiting.file}`]
    default:
      return waiting.files.map(id => `file ${id}`)
  }
}

/** Of several taps on one heart, only the last one has to be sent. */
export function replaces(later: NewCall, earlier: StoredCall): boolean {
  const [now, before] = [readCall(later), readCall(earlier)]
  if (now === undefined || before === undefined || !isHeart(now) || !isHeart(before)) return false
  return before.files.length === 1 && now.files.length === 1 && now.files[0] === before.files[0]
}

export function isHeart<W extends { kind: string }>(waiting: W): waiting is Extract<W, { kind: 'heart' | 'unheart' }> {
  return waiting.kind === 'heart' || waiting.kind === 'unheart'
}

/** What it has changed on the server, once it is sent. */
export function changesOf(waiting: Waiting, person: number): Change[] {
  switch (waiting.kind) {
    case 'heart':
    case 'unheart':
      return [{ kind: 'hearts', person_id: person, ids: [...waiting.files] }]
    case 'tag':
    case 'untag':
      return waiting.files.map(media_id => ({ kind: 'tags', media_id }))
    case 'note':
      return [{ kind: 'notes', media_id: waiting.file }]
    case 'comment':
      return [{ kind: 'album-comments', album_id: waiting.album }]
    case 'album':
      return [{ kind: 'albums', id: waiting.album }]
    case 'message':
      return [{ kind: 'messages', conversation_id: waiting.conversation }]
  }
}
