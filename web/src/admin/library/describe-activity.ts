import { z } from 'zod'
import type { ActivityLine } from '#contract/admin.ts'
import type { AuditAct } from '#contract/audit.ts'
import { locale } from '../../kit/messages.ts'
import { texts } from './activity-texts.ts'

// American English would write a comma before "and".
const list = new Intl.ListFormat(locale === 'en' ? 'en-GB' : locale)

/** The previous state in the audit log; each act records only some of it. */
const Before = z
  .object({ name: z.string(), files: z.number(), tag: z.string(), undone: z.string(), guests: z.array(z.string()) })
  .partial()
  .nullable()
  .catch(null)

/** What a line is about. */
interface Subject {
  /** Of the one file; or several of them, which `count` is the number of: photos alone, or videos too. */
  what: 'other' | 'photos' | 'mixed'
  count: number
  name: string
  before: NonNullable<z.infer<typeof Before>>
}

type Description = (subject: Subject) => string

/** What can be undone is described a second time, as what was undone. */
const undoable = (group: typeof texts.undo) =>
  ({
    'media.move': group.move,
    'media.rotate': group.rotate,
    'media.date': group.date,
    'media.place': group.place,
    'media.caption': group.caption,
    // Lines of earlier versions do not name the tag.
    'media.tag': subject => {
      const { tag } = subject.before
      return tag ? group.tag({ ...subject, tag }) : group.tagUnknown(subject)
    },
    'media.untag': subject => {
      const { tag } = subject.before
      return tag ? group.untag({ ...subject, tag }) : group.untagUnknown(subject)
    },
  }) satisfies Partial<Record<AuditAct, Description>>

const undone: Partial<Record<string, Description>> = undoable(texts.undo)

const descriptions: Record<AuditAct, Description> = {
  ...undoable(texts.media),
  'media.upload': texts.media.upload,
  'media.rename': ({ name, before }) =>
    before.name === undefined ? texts.media.renameUnknown({ name }) : texts.media.rename({ before: before.name, name }),
  'media.delete': texts.media.delete,
  'media.restore': texts.media.restore,
  'media.repair': texts.media.repair,
  'media.purge': texts.media.purge,
  'media.add-clip': texts.media.addClip,
  'media.undo': subject => (undone[subject.before.undone ?? ''] ?? texts.media.undo)(subject),
  'media.heart': subject =>
    subject.before.files ? texts.media.heartFiles(withFiles(subject)) : texts.media.heart(subject),
  'media.unheart': subject =>
    subject.before.files ? texts.media.unheartFiles(withFiles(subject)) : texts.media.unheart(subject),
  'media.rehash': texts.media.rehash,
  'media.retry': texts.media.retry,
  'note.add': texts.note.add,
  'note.edit': texts.note.edit,
  'note.delete': texts.note.delete,
  'note.restore': texts.note.restore,
  'folder.create': texts.folder.create,
  'folder.update': ({ name, before }) =>
    before.name && before.name !== name
      ? texts.folder.rename({ before: before.name, name })
      : texts.folder.move({ name }),
  'folder.delete': texts.folder.delete,
  'album.create': texts.album.create,
  'album.update': ({ name, before }) =>
    before.name && before.name !== name
      ? texts.album.rename({ before: before.name, name })
      : texts.album.update({ name }),
  'album.delete': texts.album.delete,
  'album.restore': texts.album.restore,
  'album.add': subject => texts.album.add(withFiles(subject)),
  'album.remove': subject => texts.album.remove(withFiles(subject)),
  'album.restore-files': subject => texts.album.restoreFiles(withFiles(subject)),
  'album.reorder': texts.album.reorder,
  'album.comment': texts.album.comment,
  'album.edit-comment': texts.album.editComment,
  'album.delete-comment': texts.album.deleteComment,
  'album.restore-comment': texts.album.restoreComment,
  'link.create': subject => texts.link.create(linkTo(subject)),
  'link.update': subject => texts.link.update(linkTo(subject)),
  'link.end': subject => texts.link.end(linkTo(subject)),
  'link.reopen': subject => texts.link.reopen(linkTo(subject)),
  'link.show': subject => texts.link.show(linkTo(subject)),
  'guests.accept': subject => {
    const { guests = [] } = subject.before
    if (guests.length === 0) return texts.guests.accept(withFiles(subject))
    return texts.guests.acceptFrom({ ...withFiles(subject), guests: list.format(guests) })
  },
  'guests.reject': subject => texts.guests.reject(withFiles(subject)),
  'guests.reconsider': subject => texts.guests.reconsider(withFiles(subject)),
  'person.approve': texts.person.approve,
  'person.deny': texts.person.deny,
  'person.revoke': texts.person.revoke,
  'person.reapprove': texts.person.reapprove,
  'person.rename': ({ name, before }) =>
    before.name === undefined
      ? texts.person.renameUnknown({ name })
      : texts.person.rename({ before: before.name, name }),
  'person.picture': () => texts.person.picture,
  'person.invite': texts.person.invite,
  'person.invite-for-approval': texts.person.inviteForApproval,
  'person.make-viewer': texts.person.makeViewer,
  'person.make-member': texts.person.makeMember,
  'person.make-admin': texts.person.makeAdmin,
  'person.hand-over': texts.person.handOver,
  'person.close': () => texts.person.close,
  'invitation.create': ({ before: { name } }) =>
    name ? texts.invitation.create({ name }) : texts.invitation.createUnnamed,
  'invitation.show': ({ before: { name } }) => (name ? texts.invitation.show({ name }) : texts.invitation.showUnnamed),
  'invitation.mail': ({ before: { name } }) => texts.invitation.mail({ name: name ?? '' }),
  'invitation.end': ({ before: { name } }) => (name ? texts.invitation.end({ name }) : texts.invitation.endUnnamed),
  'session.start': () => texts.session.start,
  'session.end': () => texts.session.end,
  'session.end-all': () => texts.session.endAll,
  'app-password.create': ({ before: { name } }) => texts.appPassword.create({ name: name ?? '' }),
  'app-password.end': ({ before: { name } }) => texts.appPassword.end({ name: name ?? '' }),
}

/** As the server records one that has neither a title nor an album. */
const UNNAMED_LINK = 'some files'

function linkTo({ name }: Subject): { name: string; named: 'no' | 'other' } {
  return { name, named: name === UNNAMED_LINK ? 'no' : 'other' }
}

/** How many files there were is part of the line itself. */
function withFiles({ name, before }: Subject): { name: string; files: number } {
  return { name, files: before.files ?? 0 }
}

/** Describes an entry of the audit log, without the person's name; an act of a newer version is shown by its name. */
export function describeActivity({ act, subject_name, subject_email, before, files, videos }: ActivityLine): string {
  if (!isKnown(act)) return act
  const was = Before.parse(before) ?? {}
  const shown = subject_name ?? was.name ?? texts.gone
  const name = subject_email === undefined ? shown : `${shown} (${subject_email})`
  return descriptions[act]({ ...amount(files ?? 1, videos > 0), name, before: was })
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
  return descriptions[act]({ ...amount(lines.length, hasVideos), name: '', before: Before.parse(before) ?? {} })
}

function amount(count: number, hasVideos: boolean): Pick<Subject, 'what' | 'count'> {
  return { what: count <= 1 ? 'other' : hasVideos ? 'mixed' : 'photos', count }
}

function isKnown(act: string): act is AuditAct {
  return Object.hasOwn(descriptions, act)
}
