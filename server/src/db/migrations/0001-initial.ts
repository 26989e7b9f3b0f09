import type { Kysely } from 'kysely'
import type { EngineTools } from '../engine.ts'
import { createAlbums, createGuestUploads, createLinks } from './0001-initial/albums-and-links.ts'
import { createDerivedCounts } from './0001-initial/derived-counts.ts'
import { createFolders, createMedia, createSearchTexts, createTags, createUploads } from './0001-initial/media.ts'
import { createComments, createConversations, createHearts, createNotifications } from './0001-initial/messages.ts'
import { createChoices, createMemories, createPeople, createSessions } from './0001-initial/people.ts'
import { createActivity, createJobs, createRateLimits, createSettings } from './0001-initial/server.ts'

/**
 * The schema of 0.1.0, the first release. Never edit a released migration: databases that ran it would keep the old schema.
 * To add a column, write a new file `000N-….ts` next to this one and declare the column in `../tables`.
 */
export async function up(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  await createPeople(db, tools)
  await createSessions(db)
  await createChoices(db)
  await createActivity(db, tools)
  await createSettings(db)
  await createJobs(db, tools)
  await createRateLimits(db)
  await createFolders(db, tools)
  await createMedia(db, tools)
  await createUploads(db)
  await createTags(db, tools)
  await createMemories(db)
  await createAlbums(db, tools)
  await createComments(db, tools)
  await createSearchTexts(db, tools)
  await createDerivedCounts(db, tools)
  await createConversations(db, tools)
  await createNotifications(db, tools)
  await createHearts(db)
  await createLinks(db, tools)
  await createGuestUploads(db, tools)
}
