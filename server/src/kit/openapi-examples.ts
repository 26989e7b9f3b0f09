import type { z } from 'zod'

const file = 'https://photos.example.org/files/4b1d/lake.jpg?expires=1786700000&signature=q83vEj'

/**
 * Values of a made-up library by the names of their fields; each field uses the first that its schema accepts. Those of files
 * fit together: a photo, ready, by a member.
 */
const named: Record<string, readonly unknown[]> = {
  act: ['media.upload'],
  address: ['ada@example.org', 'stored'],
  adminName: ['Ada'],
  album_title: ['Summer at the lake'],
  area: ['Lisbon, Portugal'],
  author: ['Ada Okafor'],
  by: ['Ada Okafor'],
  camera: ['Google Pixel 8'],
  caption: ['The first swim of the year'],
  client_id: ['b3f1c2d4e5'],
  code: ['not_found'],
  compatible: [null],
  contactName: ['Ada'],
  content: ['What a day that was!'],
  continues: [undefined],
  convertedUploadId: [undefined],
  country: ['Portugal'],
  created_by: ['Ada Okafor'],
  cursor: ['WyJkYXRlIiwiZGVzYyIsMTc4NjY5OTgwMDAwMCwwLDQyXQ'],
  date: ['2026-08-14'],
  date_precision: ['second'],
  date_source: ['camera'],
  day: ['2026-08-14'],
  description: ['Two weeks with everybody'],
  desktop: [file],
  device: ['Chrome on Android'],
  disk: ['photos'],
  doubtful_taken_at: [null],
  duration: [null, 12.5],
  edtf: ['2026-08-14T11:30:00'],
  email: ['ada@example.org'],
  endpoint: ['https://push.example.org/device/1'],
  error: ['There is no such file.'],
  expected: [undefined],
  expectedFolderId: [undefined],
  failure_reason: [null],
  field: ['caption'],
  file_size: [4_211_034],
  fileIds: [[42, 43]],
  filename: ['lake.jpg'],
  first_date: ['2026-08-01'],
  guest: ['Tom'],
  height: [3000],
  home_zone: ['Europe/Lisbon'],
  incomplete: [null],
  invited_by: ['Ada Okafor'],
  inviter: ['Ada Okafor'],
  key: ['files.missing'],
  kind: ['media.caption'],
  label: ['Lisbon'],
  language: ['en'],
  last_date: ['2026-08-14'],
  last_message: ['See you at the lake'],
  last_message_sender: ['Ada Okafor'],
  last_used_address: ['203.0.113.7'],
  latitude: [38.7167],
  limit: [50],
  live_position: ['1042'],
  location: ['Alfama, Lisbon, Portugal'],
  longitude: [-9.1333],
  make: ['Google'],
  message: ['The disk is nearly full.'],
  metadata: [null],
  mime_type: ['image/jpeg'],
  mobile: [file],
  model: ['Pixel 8'],
  month: ['2026-08'],
  motion_url: [null],
  motionUploadId: [undefined],
  name: ['Ada Okafor', 'Lisbon'],
  newName: ['lake.jpg'],
  offset: [undefined],
  password: ['k7m2q-9xwtr-4hbzn-d8fcj-v3pye'],
  place: ['Alfama, Lisbon, Portugal'],
  playback_type: [null],
  progress: [100, null],
  provider_name: ['Ada Okafor'],
  reason: ['The file is damaged.'],
  region: ['Lisbon'],
  role: ['member'],
  scope: ['upload'],
  search: ['lake summer 2026'],
  sent_by: [null],
  size: [4_211_034],
  status: ['ready', 'approved', 'open'],
  subject_email: [undefined],
  subject_type: ['media'],
  tag: ['summer'],
  tagName: ['summer'],
  thumbhash: ['3OcRJYB4d3h/iIeHeEh3eIhw+j2w'],
  thumbnail: [file],
  time_zone: ['Europe/Lisbon'],
  title: ['Summer at the lake'],
  today: ['2026-08-14'],
  token: ['Zt8h1kqv0pXy3b7mW5cN9sR2dF4gJ6lA1eT8uO0iKxE'],
  town: ['Lisbon'],
  transcoderCoreUrl: [null],
  uploadId: [undefined],
  uploadsUrl: [null],
  username: ['ada'],
  value: ['Lisbon, Portugal'],
  version: ['0.2.0'],
  website: [file],
  width: [4000],
  year: [2026],
  zone: ['Europe/Lisbon'],
  zoom: [4],
}

/** By the ends of names. */
const endings: readonly (readonly [RegExp, readonly unknown[]])[] = [
  [/url$/i, [file]],
  [/(?:^|_)(?:at|since|until)$|At$|Modified$/, ['2026-08-14T09:30:00Z', 1_786_699_800_000]],
  [/name$/i, ['lake.jpg']],
  [/(?:^|_)by$/, ['Ada Okafor']],
  [/hash$/i, ['b94d27b9934d3eb88f40b6a6a1a5d3c2e8a3f3c9a0f3a7e1a8c8a1f0c5e2d411']],
  [/cursor$/i, ['WyJkYXRlIiwiZGVzYyIsMTc4NjY5OTgwMDAwMCwwLDQyXQ']],
  [/bytes$/i, [4_211_034]],
]

const texts = [
  'Summer at the lake',
  '2026-08-14T09:30:00Z',
  '2026-08-14T09:30:00',
  '2026-08-14',
  '08-14',
  'https://photos.example.org/',
  'ada@example.org',
  'a'.repeat(64),
  '0123456789abcdef0123456789abcdef',
  '01234567-89ab-4def-8123-456789abcdef',
  '2026-08-01T00:00:00Z/2026-08-14T00:00:00Z',
  '1964/1970',
  '42',
  '42,43',
  '-10,35,5,45',
  'memory:2019-11-17',
  // Keys of a push subscription: the base point of P-256, and 16 bytes.
  'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  'AAECAwQFBgcICQoLDA0ODw',
]
const numbers = [42, 1, 0.5, 0]

interface Definition {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: z.ZodType[]
  entries?: Record<string, string | number>
  values?: unknown[]
  items?: z.ZodType[]
  keyType?: z.ZodType
  valueType?: z.ZodType
}

/** A value that the schema accepts, with its optional fields where they go together; undefined if none is found. */
export function exampleOf(schema: z.ZodType, name = ''): unknown {
  const byEnding = endings.flatMap(([pattern, values]) => (pattern.test(name) ? values : []))
  const all = [...(named[name] ?? []), ...byEnding, ...candidates(schema, name)]
  return all.find(candidate => schema.safeParse(candidate).success)
}

function candidates(schema: z.ZodType, name: string): readonly unknown[] {
  const def = schema.def as unknown as Definition
  switch (def.type) {
    case 'object':
      return objects(def.shape ?? {})
    case 'array': {
      const element = def.element && exampleOf(def.element, singular(name))
      return [[element], [element, element], [element, element, element], []]
    }
    case 'tuple':
      return [(def.items ?? []).map(item => exampleOf(item, name))]
    case 'record': {
      const [key, value] = [def.keyType, def.valueType].map(one => one && exampleOf(one, name))
      return [{ [String(key)]: value }]
    }
    case 'union':
      return (def.options ?? []).map(option => exampleOf(option, name))
    case 'enum':
      return Object.values(def.entries ?? {})
    case 'literal':
      return def.values ?? []
    case 'boolean':
      return [false]
    case 'pipe': {
      // The schema of a function (`z.preprocess`) is its output.
      const inner = def.in?.def.type === 'transform' ? def.out : def.in
      return inner ? candidates(inner, name) : []
    }
    case 'null':
      return [null]
  }
  if (def.innerType) return [...candidates(def.innerType, name), null, undefined]
  return [...texts, ...numbers, {}]
}

/** With all fields, and with only those that are required, because some exclude each other. */
function objects(shape: Record<string, z.ZodType>): unknown[] {
  const entries = Object.entries(shape).map(([name, field]) => [name, exampleOf(field, name)] as const)
  const required = entries.filter(([name]) => !shape[name]?.safeParse(undefined).success)
  const [first] = entries
  return [entries, required, first ? [first] : []].map(some => Object.fromEntries(some))
}

function singular(name: string): string {
  return name.replace(/s$/, '')
}
