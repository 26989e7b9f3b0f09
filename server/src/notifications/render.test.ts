import { expect, test } from 'vitest'
import { inWords } from '#messages/keys.ts'
import { textsIn } from '../kit/messages.ts'
import { inEnglish } from './notices.ts'
import { type NotificationFacts, type RenderedSubject, renderNotification } from './render.ts'

const nothing: NotificationFacts = {
  type: 'other',
  more_files: 0,
  actor_name: 'Ada',
  media_id: null,
  file_name: null,
  file_type: null,
  tag_name: null,
  album_id: null,
  album_title: null,
  comment_id: null,
  comment: null,
  conversation_id: null,
  conversation_title: null,
  message_content: null,
}
const onPhoto = { media_id: 7, file_name: 'beach.jpg', file_type: 'image' as const }

type Facts = Partial<NotificationFacts> & { subject: RenderedSubject }

function render({ subject, ...facts }: Facts) {
  return renderNotification(subject, { ...nothing, ...facts }, 'The Okafor Family')
}

function words(facts: Facts) {
  const { title, message, target } = render(facts)
  return { title: inEnglish(title), message: inEnglish(message), target }
}

test('a note on a photo of yours opens the photo at the note', () => {
  expect(words({ type: 'comment', subject: 'note', ...onPhoto, comment_id: 3, comment: 'So\nwindy!' })).toEqual({
    title: 'Ada commented on your photo',
    message: '“So windy!”',
    target: { kind: 'media', media_id: 7, note_id: 3 },
  })
  expect(words({ type: 'comment', subject: 'note', ...onPhoto, file_type: 'video' }).title).toBe(
    'Ada commented on your video',
  )
})

test('a mention in a note says so', () => {
  const facts = words({ type: 'mention', subject: 'note', ...onPhoto, comment_id: 3, comment: '@ben look' })
  expect(facts.title).toBe('Ada mentioned you in a note')
})

test('a long note is cut, never in the middle of a character', () => {
  const { message } = words({ type: 'comment', subject: 'note', ...onPhoto, comment: '👍'.repeat(500) })
  expect(message).toBe(`“${'👍'.repeat(140)}…”`)
})

test('a note that is gone leaves the photo to open, a photo that is gone leaves nothing', () => {
  expect(words({ type: 'comment', subject: 'note', ...onPhoto })).toMatchObject({
    message: 'The note has been deleted since.',
    target: { kind: 'media', media_id: 7, note_id: null },
  })
  expect(words({ type: 'comment', subject: 'note' })).toEqual({
    title: 'Ada commented on your file',
    message: 'The file has been deleted since.',
    target: null,
  })
})

test('a tag names itself and the file, or how many files', () => {
  const facts = { type: 'tag' as const, subject: 'tag' as const, tag_name: 'Summer' }
  expect(words({ ...facts, ...onPhoto })).toEqual({
    title: 'Ada tagged your photo',
    message: 'Summer',
    target: { kind: 'media', media_id: 7, note_id: null },
  })
  expect(words({ ...facts, ...onPhoto, more_files: 11 })).toMatchObject({
    title: 'Ada tagged 12 of your photos and videos',
    message: 'Summer',
  })
  expect(words(facts)).toMatchObject({ target: null, message: 'The file has been deleted since.' })
})

test('a message opens its conversation, of which a group says the name', () => {
  const facts = { type: 'message' as const, subject: 'message' as const, conversation_id: 5, message_content: 'Hello!' }
  const target = { kind: 'conversation', conversation_id: 5 }
  expect(words(facts)).toEqual({ title: 'Ada wrote to you', message: 'Hello!', target })
  expect(words({ ...facts, conversation_title: 'Aunts' }).title).toBe('Ada wrote to you in Aunts')
  expect(words({ ...facts, type: 'mention', conversation_title: 'Aunts' }).title).toBe('Ada mentioned you in Aunts')
  expect(words({ ...facts, message_content: '' }).message).toBe('A photo or video')
  expect(words({ ...facts, conversation_id: null, message_content: null }).target).toBeNull()
})

test('an access request leads to the admin page, a welcome to the library', () => {
  expect(words({ subject: 'access_request', actor_name: 'Kofi' })).toEqual({
    title: 'Kofi would like to join',
    message: 'Let them in, or turn them away, on the admin page.',
    target: { kind: 'admin' },
  })
  const answered = (actor_status: 'approved' | 'denied' | 'revoked') =>
    words({ subject: 'access_request', actor_name: 'Kofi', actor_status }).message
  expect(answered('approved')).toBe('Kofi has been let in.')
  expect(answered('denied')).toBe('Kofi has been turned away.')
  expect(answered('revoked')).toBe('Kofi has no access any more.')
  expect(words({ subject: 'welcome' })).toMatchObject({ title: "You're in", target: { kind: 'library' } })
  expect(words({ subject: 'welcome' }).message).toContain('The Okafor Family')
})

test('a page says it in its own language', () => {
  const inGerman = (facts: Facts) => {
    const { title, message } = render(facts)
    return [title, message].map(notice => inWords(textsIn('notices', 'de'), notice))
  }
  expect(
    inGerman({ type: 'comment', subject: 'note', ...onPhoto, comment_id: 3, comment: 'Was für ein Wind!' }),
  ).toEqual(['Ada hat dein Foto kommentiert', '„Was für ein Wind!“'])
  expect(inGerman({ type: 'tag', subject: 'tag', tag_name: 'Meer', ...onPhoto, more_files: 1199 })).toEqual([
    'Ada hat 1.200 deiner Fotos und Videos ein Schlagwort gegeben',
    'Meer',
  ])
  expect(inGerman({ subject: 'memories', more_files: 1, memory_day: 0 })[0]).toBe('An diesem Tag: 1 Foto')
})
