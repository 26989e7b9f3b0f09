import { texts } from '../texts.ts'

/** Says how long the file can be restored, which is not at all where nothing is kept. */
export function deleteQuestion(name: string, trashDays: number): string {
  const { confirm, confirmForGood } = texts.delete
  return trashDays < 1 ? confirmForGood({ name }) : confirm({ name, days: trashDays })
}

export function deleteManyQuestion(count: number, trashDays: number): string {
  const { confirm, confirmForGood } = texts.bulkDelete
  return trashDays < 1 ? confirmForGood({ count }) : confirm({ count, days: trashDays })
}
