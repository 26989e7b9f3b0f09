import { z } from 'zod'
import type { ActivityLine } from './admin.ts'

/** The previous state in the audit log; each act records only some of it. */
const Before = z
  .object({ name: z.string(), files: z.number(), tag: z.string(), undone: z.string() })
  .partial()
  .nullable()
  .catch(null)

type Description = (name: string, before: z.infer<typeof Before>) => string

/** Everything that leaves an audit entry, with the rest of the sentence that starts with a person's name. */
const descriptions = {
  'media.upload': name => `added ${name}`,
  'media.rename': (name, before) => `renamed ${before?.name ?? 'a file'} to ${name}`,
  'media.move': name => `moved ${name} to another folder`,
  'media.rotate': name => `turned ${name}`,
  'media.date': name => `changed the date of ${name}`,
  'media.place': name => `changed the place of ${name}`,
  'media.delete': name => `deleted ${name}`,
  'media.restore': name => `restored ${name}`,
  'media.repair': name => `replaced the damaged ${name}`,
  'media.purge': name => `removed ${name} for good`,
  'media.add-clip': name => `added the clip of ${name}`,
  // Lines of earlier versions do not name the tag.
  'media.tag': (name, before) => `tagged ${name}${before?.tag ? ` with “${before.tag}”` : ''}`,
  'media.untag': (name, before) => `removed ${before?.tag ? `the tag “${before.tag}”` : 'a tag'} from ${name}`,
  'media.undo': name => `undid a change of ${name}`,
  'media.heart': (name, before) => `added ${before?.files ? countOf(before) : name} to their favourites`,
  'media.unheart': (name, before) => `removed ${before?.files ? countOf(before) : name} from their favourites`,
  'media.rehash': name => `rehashed ${name}`,
  'media.retry': name => `retried ${name}`,
  'note.add': name => `wrote a note on ${name}`,
  'note.edit': name => `changed a note on ${name}`,
  'note.delete': name => `deleted a note on ${name}`,
  'note.restore': name => `restored a note on ${name}`,
  'folder.create': name => `made the folder ${name}`,
  'folder.update': (name, before) =>
    before?.name && before.name !== name ? `renamed the folder ${before.name} to ${name}` : `moved the folder ${name}`,
  'folder.delete': name => `deleted the folder ${name}`,
  'album.create': name => `made the album ${name}`,
  'album.update': (name, before) =>
    before?.name && before.name !== name ? `renamed the album ${before.name} to ${name}` : `changed the album ${name}`,
  'album.delete': name => `deleted the album ${name}`,
  'album.restore': name => `restored the album ${name}`,
  'album.add': (name, before) => `added ${countOf(before)} to the album ${name}`,
  'album.remove': (name, before) => `removed ${countOf(before)} from the album ${name}`,
  'album.restore-files': (name, before) => `put ${countOf(before)} back into the album ${name}`,
  'album.reorder': name => `changed the order of the album ${name}`,
  'album.comment': name => `wrote a comment on the album ${name}`,
  'album.edit-comment': name => `changed a comment on the album ${name}`,
  'album.delete-comment': name => `deleted a comment on the album ${name}`,
  'album.restore-comment': name => `restored a comment on the album ${name}`,
  'link.create': name => `made a link to ${name}`,
  'link.update': name => `changed the link to ${name}`,
  'link.end': name => `ended the link to ${name}`,
  'link.reopen': name => `opened the link to ${name} again`,
  'guests.accept': (name, before) => `took ${countOf(before)} of guests into the album ${name}`,
  'guests.reject': (name, before) => `did not take ${countOf(before)} of guests into the album ${name}`,
  'guests.reconsider': (name, before) => `put ${countOf(before)} of guests for the album ${name} back for review`,
  'person.approve': name => `let ${name} in`,
  'person.deny': name => `turned ${name} away`,
  'person.revoke': name => `took ${name}’s access`,
  'person.reapprove': name => `let ${name} in again`,
  'person.rename': (name, before) => `changed their name from ${before?.name ?? 'another'} to ${name}`,
  'person.picture': () => 'changed their picture',
  'person.invite': name => `let ${name} in by an invitation`,
  'person.invite-for-approval': name => `invited ${name} to ask for access`,
  'person.make-viewer': name => `made ${name} a viewer`,
  'person.make-member': name => `made ${name} a member`,
  'person.make-admin': name => `made ${name} an admin`,
  'invitation.create': (_, before) => `made an invitation${before?.name ? ` for ${before.name}` : ''}`,
  'invitation.end': (_, before) => `ended an invitation${before?.name ? ` for ${before.name}` : ''}`,
  'session.start': () => 'signed in',
  'session.end': () => 'signed out a device',
  'session.end-all': () => 'signed out everywhere',
} satisfies Record<string, Description>

function countOf(before: z.infer<typeof Before>): string {
  const files = before?.files ?? 0
  return files === 1 ? '1 file' : `${files} files`
}

export type AuditAct = keyof typeof descriptions
export const auditActs = Object.keys(descriptions) as AuditAct[]

/** Describes an entry of the audit log; an act of a newer version is shown by its name. */
export function describeActivity({ act, subject_name, subject_email, before, files, videos }: ActivityLine): string {
  const was = Before.parse(before)
  if (files !== null && files > 1 && isKnown(act)) return sentence(act, countPhotos(files, videos > 0), was)
  const shown = subject_name ?? was?.name ?? 'something that is gone'
  const name = subject_email === undefined ? shown : `${shown} (${subject_email})`
  return isKnown(act) ? sentence(act, quoted(act, name), was && quotedBefore(was)) : act
}

/** An undo says what it undid. */
function sentence(act: AuditAct, name: string, before: z.infer<typeof Before>): string {
  const undone = act === 'media.undo' ? before?.undone : undefined
  return undone !== undefined && isKnown(undone)
    ? `undid this: ${descriptions[undone](name, before)}`
    : descriptions[act](name, before)
}

/** Lines with the same key are one act on several files; undefined for acts that need the name of their file. */
export function aggregationKey({
  act,
  before,
  files: several,
}: Pick<ActivityLine, 'act' | 'before' | 'files'>): string | undefined {
  if (several !== null && several > 1) return undefined
  if (!isKnown(act) || !act.startsWith('media.') || act === 'media.rename' || act === 'media.repair') return undefined
  const { files, tag = '', undone = '' } = Before.parse(before) ?? {}
  return files === undefined ? `${act} ${undone}${tag}` : undefined
}

const video = /\.(?:mp4|mov|m4v|webm|ogv|mkv|avi|mts|m2ts|wmv|flv|mpe?g|3gp)$/i

/** Describes lines with the same key as one sentence, as in "deleted 3 photos". */
export function describeAggregated(lines: readonly [ActivityLine, ...ActivityLine[]]): string {
  const [{ act, before }] = lines
  if (lines.length === 1 || !isKnown(act)) return describeActivity(lines[0])
  const hasVideos = lines.some(({ subject_name }) => video.test(subject_name ?? ''))
  return sentence(act, countPhotos(lines.length, hasVideos), Before.parse(before))
}

function countPhotos(count: number, hasVideos: boolean): string {
  return `${count} ${hasVideos ? 'photos and videos' : 'photos'}`
}

function isKnown(act: string): act is AuditAct {
  return Object.hasOwn(descriptions, act)
}

function quotedBefore(was: NonNullable<z.infer<typeof Before>>) {
  return was.name === undefined ? was : { ...was, name: `“${was.name}”` }
}

/** Names of files and folders are quoted; those of people are not. */
function quoted(act: string, name: string): string {
  return act.startsWith('person.') ? name : `“${name}”`
}
