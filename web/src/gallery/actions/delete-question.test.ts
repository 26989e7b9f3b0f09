import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { deleteManyQuestion, deleteQuestion } from './delete-question.ts'

test('the delete confirmation says how long the file can be restored', () => {
  const question = (trashDays: number) => deleteQuestion('a.jpg', trashDays)
  expect(question(30)).toBe(
    'Are you sure you want to delete "a.jpg"? You can undo this, or restore it from Recently deleted for 30 days.',
  )
  expect(question(1)).toBe(
    'Are you sure you want to delete "a.jpg"? You can undo this, or restore it from Recently deleted for a day.',
  )
  expect(question(0)).toBe('Are you sure you want to delete "a.jpg"? This action cannot be undone.')
  expect(deleteManyQuestion(2, 1)).toBe(
    'Are you sure you want to delete 2 selected files? You can undo this, or restore them from Recently deleted for a day.',
  )
  expect(deleteManyQuestion(2, 0)).toBe(
    'Are you sure you want to delete 2 selected files? This action cannot be undone.',
  )
})

test('no other question says that something cannot be undone, but that of closing an account: all else can be', async () => {
  const folder = new URL('../../../../messages/en/', import.meta.url)
  const found: string[] = []
  for (const name of await readdir(folder)) {
    const visit = (value: unknown, path: string): void => {
      if (typeof value === 'string' && /cannot be undone|for ever|forever/.test(value)) found.push(path)
      if (typeof value === 'object' && value !== null) {
        for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`)
      }
    }
    visit(JSON.parse(await readFile(new URL(name, folder), 'utf8')), name)
  }
  expect(found.filter(path => !path.startsWith('errors.json'))).toEqual([
    'gallery.json.delete.confirmForGood',
    'gallery.json.bulkDelete.confirmForGood',
    'settings.json.close.ends',
  ])
})
