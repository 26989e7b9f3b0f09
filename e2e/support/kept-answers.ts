import type { Page } from '@playwright/test'

/** The addresses of the answers that this device has saved. Waits for the database of the page, since opening would create it. */
export const keptAnswers = (page: Page) =>
  page.evaluate(async () => {
    const name = 'heirloom-device'
    if (!(await indexedDB.databases()).some(one => one.name === name)) return ''
    return new Promise<string>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const database = opening.result
        const addresses = database.transaction('answers').objectStore('answers').getAllKeys()
        addresses.onsuccess = () => {
          database.close()
          resolve(addresses.result.join('\n'))
        }
      }
    })
  })
