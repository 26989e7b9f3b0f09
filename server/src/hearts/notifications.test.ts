import { expect, test } from 'vitest'
import { renderHearts } from './notifications.ts'

test('a notification says who, the latest first, and how many photos and videos', () => {
  const latest = { media_id: 7, file_name: 'beach.jpg', file_type: 'image' as const }
  const hearts = (people: string[], files: number, images: number) => renderHearts({ people, files, images, latest })
  expect(hearts(['Rose'], 1, 1)).toEqual({
    title: 'Rose loves your photo',
    message: 'beach.jpg',
    target: { kind: 'media', media_id: 7, note_id: null },
  })
  expect(hearts(['Rose', 'Ben'], 1, 0).title).toBe('Rose and Ben love your video')
  expect(hearts(['Rose', 'Ben', 'Ada', 'Kofi'], 12, 12)).toMatchObject({
    title: 'Rose and 3 others love 12 of your photos',
    message: 'beach.jpg and 11 more',
  })
  expect(hearts(['Rose'], 3, 2).title).toBe('Rose loves 3 of your photos and videos')
  expect(renderHearts(undefined)).toMatchObject({ target: null })
})
