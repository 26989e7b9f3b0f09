import type { QueryClient } from '@tanstack/react-query'
import { isFreshNavigation } from '../kit/navigation.ts'
import { pagesOf } from './files/pages.ts'
import { indexQuery, pageQuery } from './files/queries.ts'
import { loadFirstPictures } from './firstPictures.ts'
import { listOf, readAddress } from './gallery-address.ts'

/** Asks for the list that an address shows, for its first files and their pictures, before anything is drawn. */
export async function askAhead(client: QueryClient, search: string): Promise<void> {
  const address = readAddress(new URLSearchParams(search))
  const list = listOf(address)
  const index = await client.fetchQuery(indexQuery(list)).catch(() => undefined)
  const [first] = index === undefined ? [] : pagesOf(index)
  if (index === undefined || first === undefined) return
  const page = await client.fetchQuery(pageQuery(list, first)).catch(() => undefined)
  if (page !== undefined && address.file === null && isFreshNavigation()) loadFirstPictures(page.files, index, address)
}
