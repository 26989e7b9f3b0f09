import { expect, test } from 'vitest'
import { inWords } from '#messages/keys.ts'
import { textsIn } from '../kit/messages.ts'
import { inEnglish } from '../notifications/notices.ts'
import { renderHearts } from './notifications.ts'

const latest = { media_id: 7, file_name: 'beach.jpg', file_type: 'image' as const }

test('a notification says who, the latest first, and how many photos and videos', () => {
  const hearts = (people: string[], files: number, images: number) => {
    const { title, message, target } = renderHearts({ people, files, images, latest })
    return { title: inEnglish(title), message: inEnglish(message), target }
  }
  expect(hearts(['Rose'], 1, 1)).toEqual({
    title: 'Rose loves your photo',
    message: 'It is one of their favourites now.',
    target: { kind: 'media', media_id: 7, note_id: null },
  })
  expect(hearts(['Rose', 'Ben'], 1, 0).title).toBe('Rose and Ben love your video')
  expect(hearts(['Rose', 'Ben', 'Ada', 'Kofi'], 12, 12)).toMatchObject({
    title: 'Rose and 3 others love 12 of your photos',
    message: 'They are among their favourites now.',
  })
  expect(hearts(['Rose'], 3, 2).title).toBe('Rose loves 3 of your photos and videos')
  expect(renderHearts(undefined)).toMatchObject({ target: null })
})

test('a page says it in its own language', () => {
  const hearts = (people: string[], files: number, images: number) =>
    inWords(textsIn('notices', 'de'), renderHearts({ people, files, images, latest }).title)
  expect(hearts(['Rose'], 1, 1)).toBe('Rose gefällt dein Foto')
  expect(hearts(['Rose', 'Ben'], 2, 0)).toBe('Rose und Ben gefallen 2 deiner Videos')
  expect(hearts(['Rose', 'Ben', 'Ada'], 3, 2)).toBe('Rose und 2 weiteren gefallen 3 deiner Fotos und Videos')
})
