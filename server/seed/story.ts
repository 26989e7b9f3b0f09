import { DAY } from '#contract/limits.ts'
import { formatWallClock, type PhotoMetadata, type WallClock } from '#contract/metadata.ts'
import { type Random, randomFrom } from './random.ts'
import { type Camera, cameras, home, nameOfSent, type Place, places } from './world.ts'

/** The subject of a picture. */
const scenes = ['sea', 'mountains', 'city', 'meadow', 'lights'] as const
export type Scene = (typeof scenes)[number]

/** Scenes rotate: the painted pictures may all belong to one event, and a library of only one scene would be dull. */
export function sceneOfReal(number: number): Scene {
  return scenes[number % scenes.length] ?? scenes[0]
}

/** One photo or video of the generated story; deterministic by number. */
export interface StoryFile {
  number: number
  scene: Scene
  /** Without its extension. */
  name: string
  taken: WallClock
  /** Null for a picture received by messenger: its date is the file's. */
  metadata: PhotoMetadata | null
  folders: readonly string[]
  /** Index of the relative who uploaded it, and the delay between taking and uploading. */
  uploader: number
  uploadDelay: number
}

interface Event {
  scene: Scene
  files: number
  /** Local time, as if it were UTC. */
  begins: number
  days: number
  place: Place
  camera: Camera
  knowsPlace: boolean
  folders: readonly string[]
  uploader: number
  uploadDelay: number
}

const YEARS = 15

/** A wedding with all guests' pictures: one month with thirty thousand files, in libraries that are large enough. */
const wedding = { first: 60_000, files: 30_000, year: 2016, month: 7 }

/** The files in a range of numbers, event by event. `until` is the day of the last event, usually today. */
export function* tellStory(from: number, to: number, until: Date): Generator<StoryFile> {
  let first = 0
  for (let count = 0; first < to; count++) {
    const event = eventAt(first, count, until)
    if (first + event.files > from) {
      for (const file of filesOf(event, first, count)) {
        if (file.number >= from && file.number < to) yield file
      }
    }
    first += event.files
  }
}

function eventAt(first: number, count: number, until: Date): Event {
  if (first === wedding.first) return weddingEvent()
  const event = ordinaryEvent(randomFrom(count, 1), until)
  return first < wedding.first ? { ...event, files: Math.min(event.files, wedding.first - first) } : event
}

function weddingEvent(): Event {
  const random = randomFrom(wedding.year)
  return {
    scene: 'lights',
    files: wedding.files,
    begins: Date.UTC(wedding.year, wedding.month, 1, 9),
    days: 29,
    place: home,
    camera: random.pick(cameras.filter(camera => camera.make === 'Canon')),
    knowsPlace: true,
    folders: ['Celebrations', 'The wedding'],
    uploader: 0,
    uploadDelay: 3 * DAY,
  }
}

interface Kind {
  share: number
  files: [number, number]
  days: [number, number]
  scenes: readonly Scene[]
  away: boolean
  folders(place: Place, begins: Date): readonly string[]
}

const monthNames = [...Array(12).keys()].map(month =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2020, month)),
)
const yearAndMonth = (begins: Date) => [String(begins.getUTCFullYear()), monthNames[begins.getUTCMonth()] ?? '']

const kinds: readonly Kind[] = [
  { share: 0.4, files: [1, 6], days: [1, 1], scenes: ['meadow', 'city', 'lights'], away: false, folders: () => [] },
  {
    share: 0.3,
    files: [10, 60],
    days: [1, 1],
    scenes: ['meadow', 'sea', 'mountains'],
    away: false,
    folders: (_, begins) => yearAndMonth(begins),
  },
  {
    share: 0.2,
    files: [80, 400],
    days: [4, 14],
    scenes: ['sea', 'mountains', 'city'],
    away: true,
    folders: ({ city }, begins) => ['Trips', `${city} ${begins.getUTCFullYear()}`],
  },
  {
    share: 0.1,
    files: [30, 150],
    days: [1, 1],
    scenes: ['lights'],
    away: false,
    folders: (_, begins) => ['Celebrations', begins.getUTCMonth() === 11 ? 'Christmas' : 'Birthdays'],
  },
]

function ordinaryEvent(random: Random, until: Date): Event {
  const kind = kindAt(random.next())
  const begins = new Date(beginning(random, until))
  const place = kind.away ? random.pick(places) : home
  const year = begins.getUTCFullYear()
  return {
    scene: random.pick(kind.scenes),
    files: random.whole(...kind.files),
    begins: begins.getTime(),
    days: random.whole(...kind.days),
    place,
    camera: random.pick(cameras.filter(camera => camera.from <= year && year <= camera.until)),
    knowsPlace: random.chance(0.8),
    folders: kind.folders(place, begins),
    uploader: random.whole(0, 2),
    uploadDelay: random.between(0.1, 20) * DAY,
  }
}

function kindAt(share: number): Kind {
  let sum = 0
  const found = kinds.find(kind => {
    sum += kind.share
    return share < sum
  })
  return found ?? kinds[0] ?? never()
}

/** More pictures in later years, and most in summer and at Christmas. */
function beginning(random: Random, until: Date): number {
  for (;;) {
    const year = until.getUTCFullYear() - Math.floor(YEARS * random.next() ** 1.4)
    const month = random.pick([0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 9, 10, 11, 11])
    const begins = Date.UTC(year, month, random.whole(1, 28), random.whole(7, 19), random.whole(0, 59))
    if (begins < until.getTime() - 21 * DAY) return begins
  }
}

function* filesOf(event: Event, first: number, count: number): Generator<StoryFile> {
  const random = randomFrom(count, 2)
  const { camera, place } = event
  const perDay = Math.ceil(event.files / event.days)
  let clock = event.begins
  for (let i = 0; i < event.files; i++) {
    if (i > 0 && i % perDay === 0) clock = event.begins + Math.floor(i / perDay) * DAY
    // Bursts of a few seconds, and pauses in between.
    clock += Math.round((random.chance(0.7) ? random.between(1, 20) : random.between(20, 500)) * 1000)
    const taken = new Date(clock)
    const sent = !event.folders.length && random.chance(0.3)
    const offsetMinutes = camera.phone ? place.offsetMinutes : null
    const wallClock = { local: taken.toISOString().slice(0, 19), offsetMinutes }
    yield {
      number: first + i,
      scene: event.scene,
      name: sent ? nameOfSent(taken, first + i) : camera.nameOf(taken, first + i),
      taken: wallClock,
      metadata: sent ? null : metadataOf(event, wallClock, random),
      folders: event.folders,
      uploader: event.uploader,
      uploadDelay: event.uploadDelay,
    }
  }
}

function metadataOf({ camera, place, knowsPlace }: Event, taken: WallClock, random: Random): PhotoMetadata {
  // Within about a kilometre of the town's centre.
  const near = (degrees: number) => Number((degrees + random.between(-0.01, 0.01)).toFixed(6))
  const [latitude, longitude] = [near(place.latitude), near(place.longitude)]
  return {
    dateTimeOriginal: formatWallClock(taken),
    make: camera.make,
    model: camera.model,
    ...(camera.phone && knowsPlace ? { latitude, longitude } : {}),
    iso: random.pick([50, 100, 200, 400, 800, 1600]),
    fNumber: random.pick([1.8, 2.8, 4, 5.6, 8]),
    exposureTime: random.pick([1 / 30, 1 / 60, 1 / 125, 1 / 500, 1 / 1000]),
    focalLength: camera.phone ? 4.2 : random.whole(18, 135),
  }
}

function never(): never {
  throw new Error('There is no kind of event')
}
