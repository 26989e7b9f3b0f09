import { z } from 'zod'
import type { ActivityLine, AuditAct } from '#contract/admin.ts'

/** What the audit line keeps of how things were; each act keeps only some of it. */
const Before = z.object({ name: z.string(), files: z.number() }).partial().nullable().catch(null)

type Description = (name: string, before: z.infer<typeof Before>) => string

/** The end of a sentence that begins with a person's name. */
const descriptions: Record<AuditAct, Description> = {
  'media.upload': name => `added ${name}`,
  'media.rename': (name, before) => `renamed ${before?.name ?? 'a file'} to ${name}`,
  'media.move': name => `moved ${name} to another folder`,
  'media.delete': name => `deleted ${name}`,
  'media.restore': name => `brought back ${name}`,
  'media.heal': name => `replaced the damaged ${name}`,
  'media.purge': name => `removed ${name} for good`,
  'media.add-clip': name => `added the clip of ${name}`,
  'media.tag': name => `tagged ${name}`,
  'media.untag': name => `took a tag from ${name}`,
  'media.rehash': name => `rehashed ${name}`,
  'media.retry': name => `had ${name} looked at again`,
  'note.add': name => `wrote a note on ${name}`,
  'note.edit': name => `changed a note on ${name}`,
  'note.delete': name => `deleted a note on ${name}`,
  'folder.create': name => `made the folder ${name}`,
  'folder.update': (name, before) =>
    before?.name && before.name !== name ? `renamed the folder ${before.name} to ${name}` : `moved the folder ${name}`,
  'folder.delete': name => `deleted the folder ${name}`,
  'person.approve': name => `let ${name} in`,
  'person.deny': name => `turned ${name} away`,
  'person.revoke': name => `took ${name}’s access`,
  'person.reapprove': name => `let ${name} in again`,
  'session.start': () => 'signed in',
}

/** What a line of the audit log says in words; an act from a newer server is told by its own name. */
export function describeActivity({ act, subject_name, before }: ActivityLine): string {
  const was = Before.parse(before)
  const name = subject_name ?? was?.name ?? 'something that is gone'
  return isKnown(act) ? descriptions[act](quoted(act, name), was && quotedBefore(was)) : act
}

function isKnown(act: string): act is AuditAct {
  return Object.hasOwn(descriptions, act)
}

function quotedBefore(was: NonNullable<z.infer<typeof Before>>) {
  return was.name === undefined ? was : { ...was, name: `“${was.name}”` }
}

/** Files and folders are quoted, for their names can be anything; people are not. */
function quoted(act: string, name: string): string {
  return act.startsWith('person.') ? name : `“${name}”`
}
