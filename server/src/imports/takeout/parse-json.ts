import { z } from 'zod'
import type { ImportedComment } from '../plan.ts'

/** What a JSON file of a Takeout is, by its content: their names are translated. */
export type TakeoutJson =
  | { kind: 'sidecar'; sidecar: Sidecar }
  | { kind: 'album'; album: AlbumJson }
  | { kind: 'broken' }
  | { kind: 'other' }

export interface Sidecar {
  title: string
  /** Epoch milliseconds; null: not known. */
  takenAt: number | null
  uploadedAt: number | null
  place: { latitude: number; longitude: number } | undefined
  description: string
  favorited: boolean
  archived: boolean
  trashed: boolean
  people: string[]
  fromPartner: boolean
  fromSharedAlbum: boolean
  url: string | undefined
  comments: ImportedComment[]
  /** Names of those who like it. */
  likes: string[]
}

export interface AlbumJson {
  title: string
  description: string
  comments: ImportedComment[]
}

/** These have titles too. */
const NEVER = new Set(['print-subscriptions.json', 'shared_album_comments.json', 'user-generated-memory-titles.json'])

const text = z.string().catch('')
const flag = z.boolean().catch(false)
const Time = z.object({ timestamp: z.string().or(z.number()) })
const Position = z.object({ latitude: z.number(), longitude: z.number() }).optional().catch(undefined)
const Comments = z
  .array(
    z.object({
      text: text.optional(),
      liked: flag.optional(),
      contentOwnerName: text.optional(),
      creationTime: Time.optional().catch(undefined),
    }),
  )
  .catch([])

const SidecarJson = z.object({
  title: text,
  photoTakenTime: Time,
  creationTime: Time.optional().catch(undefined),
  geoData: Position,
  geoDataExif: Position,
  description: text,
  favorited: flag,
  archived: flag,
  trashed: flag,
  people: z.array(z.object({ name: text })).catch([]),
  googlePhotosOrigin: z.record(z.string(), z.unknown()).catch({}),
  url: text,
  sharedAlbumComments: Comments,
})

const Enrichments = z
  .array(
    z.object({
      narrativeEnrichment: z.object({ text }).optional().catch(undefined),
      locationEnrichment: z
        .object({ location: z.array(z.object({ name: text, description: text })).catch([]) })
        .optional()
        .catch(undefined),
    }),
  )
  .catch([])

const AlbumFields = z.object({
  title: z.string().min(1),
  description: text,
  enrichments: Enrichments,
  sharedAlbumComments: Comments,
})

export function parseTakeoutJson(name: string, bytes: Buffer): TakeoutJson {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''))
  } catch {
    // Reported with its name.
    return { kind: 'broken' }
  }
  if (NEVER.has(name.toLowerCase())) return { kind: 'other' }
  const sidecar = SidecarJson.safeParse(value)
  if (sidecar.success) return { kind: 'sidecar', sidecar: sidecarOf(sidecar.data) }
  const album = AlbumFields.safeParse(
    isObject(value) && isObject(value.albumData) ? { ...value, ...value.albumData } : value,
  )
  if (album.success) return { kind: 'album', album: albumOf(album.data) }
  return { kind: 'other' }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sidecarOf(json: z.infer<typeof SidecarJson>): Sidecar {
  const { comments, likes } = commentsOf(json.sharedAlbumComments)
  return {
    title: json.title.normalize('NFC'),
    takenAt: timeOf(json.photoTakenTime),
    uploadedAt: json.creationTime ? timeOf(json.creationTime) : null,
    place: placeOf(json.geoData) ?? placeOf(json.geoDataExif),
    description: json.description.trim(),
    favorited: json.favorited,
    archived: json.archived,
    trashed: json.trashed,
    people: json.people.map(({ name }) => name.trim()).filter(Boolean),
    fromPartner: 'fromPartnerSharing' in json.googlePhotosOrigin,
    fromSharedAlbum: 'fromSharedAlbum' in json.googlePhotosOrigin,
    url: json.url || undefined,
    comments,
    likes,
  }
}

function albumOf({ title, description, enrichments, sharedAlbumComments }: z.infer<typeof AlbumFields>): AlbumJson {
  const texts = enrichments.flatMap(({ narrativeEnrichment, locationEnrichment }) => [
    narrativeEnrichment?.text.trim() ?? '',
    (locationEnrichment?.location ?? [])
      .map(place => [place.name, place.description].filter(Boolean).join(', '))
      .join(' → '),
  ])
  const { comments } = commentsOf(sharedAlbumComments)
  return {
    title: title.normalize('NFC').trim(),
    description: [description.trim(), ...texts].filter(Boolean).join('\n\n'),
    comments,
  }
}

function commentsOf(json: z.infer<typeof Comments>): { comments: ImportedComment[]; likes: string[] } {
  const comments: ImportedComment[] = []
  const likes: string[] = []
  for (const { text = '', liked, contentOwnerName: author = '', creationTime } of json) {
    if (text.trim()) comments.push({ author, at: creationTime ? timeOf(creationTime) : null, text: text.trim() })
    else if (liked && author) likes.push(author)
  }
  return { comments, likes }
}

const OLDEST = Date.UTC(1826, 0)
const LATEST = Date.UTC(2100, 0)

/** "0" means that nobody knows; before 1970 it is negative. */
function timeOf({ timestamp }: z.infer<typeof Time>): number | null {
  const time = /^-?\d{1,12}$/.test(`${timestamp}`) ? Number(timestamp) * 1000 : 0
  return time !== 0 && time >= OLDEST && time < LATEST ? time : null
}

/** (0, 0) means that nobody knows. */
function placeOf(position: z.infer<typeof Position>): Sidecar['place'] {
  if (!position || (position.latitude === 0 && position.longitude === 0)) return undefined
  const { latitude, longitude } = position
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}
