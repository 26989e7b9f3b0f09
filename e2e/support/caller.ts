import type { Page } from '@playwright/test'
import type { MediaFile } from '#contract/media.ts'
import { deleteNotification, listNotifications } from '#contract/notifications.ts'
import { uploadMedia } from '#contract/upload.ts'
import { makePicture } from '../../server/test/fixtures/pictures.ts'
import { type Visitor, visitor } from '../../server/test/visitor.ts'

/** API calls as the person who is signed in on this page: for setting up what a test needs but does not test. */
export async function callerOn(page: Page): Promise<Visitor> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'))
  return visitor(new URL(page.url()), token ?? undefined, 'straight')
}

export async function sendPhoto(caller: Visitor, name: string, folderId: number | null = null): Promise<MediaFile> {
  const form = new FormData()
  form.append('files', new Blob([new Uint8Array(await makePicture())]), name)
  form.append('fileMetadata', JSON.stringify({ originalName: name, folderId }))
  const response = await caller.fetch(uploadMedia.path, { method: 'POST', body: form })
  const [added] = uploadMedia.answer.parse(await response.json()).files
  if (added === undefined) throw new Error(`${name} was not added`)
  return added
}

/** Deletes the welcome notification that every new member gets. */
export async function deleteWelcome(caller: Visitor): Promise<void> {
  for (const { id } of await caller.call(listNotifications, { query: {} })) {
    await caller.call(deleteNotification, { params: { id } })
  }
}
