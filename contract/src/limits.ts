/** Every constant of the product. The specification's section 9 is the source; times are in milliseconds. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const session = {
  /** Signed out when unused for this long: a tablet in a drawer over the winter still works in spring. */
  idle: 90 * DAY,
  /** Signed out after this long, used or not. */
  absolute: 365 * DAY,
  /** How stale "last used" may be; it saves a write on every call. */
  touchEvery: HOUR,
} as const

/** From "Continue with Google" until the provider sends the person back. */
export const signInAttempt = {
  lasts: 15 * MINUTE,
  /** A page that was reloaded before it had the answer may confirm its sign-in again for this long. */
  confirmAgain: 30 * SECOND,
} as const

export const rateLimits = {
  window: MINUTE,
  signIn: 120,
  writes: 600,
  /** Resumable uploads. As each carries more than `uploads.resumableAbove`, no browser of a family begins so many. */
  uploadsBegun: 1_200,
} as const

/** The stream of live events. */
export const live = {
  heartbeat: 15 * SECOND,
  /** How long a page waits before it opens a new stream; longer each time it fails. */
  retry: 2 * SECOND,
  /** Browsers of one person that listen at once, on one server. */
  streamsPerPerson: 20,
  /** In seconds: when one more may try again. */
  retryWhenTooMany: 60,
} as const

/** Maximum text lengths in characters, and the maximum depth of folders. */
export const lengths = {
  fileName: 255,
  folderName: 100,
  folderLevels: 50,
  tag: 50,
  note: 5_000,
  message: 5_000,
  groupTitle: 50,
} as const

/** Limits for XMP sidecars at import. */
export const imports = {
  /** What is larger is no sidecar; those of editors with long histories have a few hundred kilobytes. */
  sidecarBytes: 4 * 1024 * 1024,
  /** How many keywords become tags. */
  sidecarTags: 50,
} as const

export const uploads = {
  /** What one piece of a resumable upload carries. */
  chunkBytes: 8 * 1024 * 1024,
  /** The longest file, in bytes. */
  largestBytes: 256 * 1024 ** 3,
  /** Resumable uploads that one person can have begun and not yet made files of. */
  unfinishedPerPerson: 200,
  /** What all unfinished uploads together may take of an S3 store, whose room nobody knows. On a disk its free space counts. */
  unfinishedBytesInStore: 2 * 1024 ** 4,
  /** An upload that was begun and left is forgotten after this long. */
  unfinishedLasts: DAY,
  /** An upload that sends nothing for this long is aborted. A slow one is fine. */
  stallsAfter: MINUTE,
  /** A part larger than this goes by resumable upload; a smaller one in the upload call itself, which saves two calls. */
  resumableAbove: 4 * 1024 * 1024,
  /** Parts of one form: a photo with all its variants has seven. */
  mostParts: 60,
  /** Upload calls of one person under way at once: each keeps its form in memory and its files on the disk. */
  openForms: 12,
} as const

/** Videos converted for devices that can't play the original. */
export const compatibleVersions = {
  /** How many of them may wait for one person: each can take hours. */
  waitingPerPerson: 20,
} as const

export const zips = {
  /** How long an ordered ZIP can be fetched: to begin with it, that is. */
  orderLasts: 10 * MINUTE,
} as const

export const jsonBodyBytes = 1_000_000
/** For calls that take no body; some clients send an empty object all the same. */
export const noBodyBytes = 1_024
/** How deep lists and objects of a call may nest. The deepest of ours needs three. */
export const jsonDepth = 32

/** How long `/healthz` repeats the result of its last check. */
export const healthCheckLasts = { success: 10 * SECOND, failure: 2 * SECOND, timeout: 5 * SECOND } as const

/** How long a client may take to send a request. Uploads may take hours; they have `uploads.stallsAfter`. */
export const requestTimes = {
  headers: 20 * SECOND,
  /** A body of which nothing has arrived for this long is given up. */
  bodyStallsAfter: 20 * SECOND,
  /** A body that takes longer is given up, however steadily it trickles in. */
  body: 3 * MINUTE,
  /** An answer of which the client takes nothing for this long is given up, however much it has taken before. */
  answerStallsAfter: MINUTE,
} as const

/**
 * At the same time, on one server: each takes memory and a file descriptor, of which systems grant 1,024 and more. A browser
 * opens up to six, behind a proxy it shares them.
 */
export const maxConnections = 4_000

export const toast = { lasts: 4 * SECOND } as const

/** The pictures made of a photo: bound of the longest side in pixels (nothing is ever enlarged), JPEG quality, tail of the name. */
export const variants = {
  thumbnail: { maxSize: 300, quality: 0.8, suffix: '_thumb' },
  mobile: { maxSize: 800, quality: 0.85, suffix: '_mobile' },
  website: { maxSize: 1920, quality: 0.9, suffix: '_website' },
  desktop: { maxSize: 2880, quality: 0.92, suffix: '_desktop' },
  full: { maxSize: Number.POSITIVE_INFINITY, quality: 0.95, suffix: '_full' },
} as const
export type VariantName = keyof typeof variants
/** What every photo has. The other one is made only where browsers cannot show the original. */
export const viewingSizes = ['thumbnail', 'mobile', 'website', 'desktop'] as const satisfies VariantName[]

/** How many people an @ suggests. */
export const mentions = { suggestions: 5 } as const

/** A screen narrower than this, or one that is touched, has the viewer's details in a drawer (CSS pixels). */
export const narrowScreen = 768

export const zoom = { smallest: 0.5, largest: 5, step: 0.5 } as const

export const rotationStep = 90

/** How long the slideshow shows a photo, in seconds. */
export const slideshow = { seconds: [1, 2, 3, 5, 10, 15, 30], usual: 3 } as const

/** Rehashing: how many files at once, and the percentage at which each step of one stands. */
export const rehash = {
  atOnce: 2,
  progress: { begun: 5, downloading: 10, downloaded: 50, hashing: 60, updating: 90, completed: 100 },
} as const

/** Polling intervals while there is no live stream. */
export const polls = { unreadCount: 30 * SECOND, chat: 5 * SECOND } as const

/** The largest number on a badge; more is `99+`. */
export const badgeCap = 99

export const chat = {
  /** How much of the last message the list shows, in characters. */
  preview: 40,
  /** For so long a message's time is a time of day; after that it is a date. */
  timeOfDay: DAY,
  leastInGroup: 2,
  /** Typing is sent at most this often (throttled) and shown for this long. */
  typing: { every: 3 * SECOND, shown: 5 * SECOND },
} as const

/** Photos with a clip: Live Photos, motion photos. Times are in seconds. */
export const motionPhotos = {
  /** Phones record three seconds around a photo. A longer clip of the same name is a film of its own. */
  longestClip: 6,
  /** How far the clocks of a still and its clip may differ: the clip has the time it began or ended. */
  clockDifference: 5,
  /** In bytes: the largest clip that is read out of a photo. Phones write about 3 MB. */
  embeddedClipBytes: 128 * 1024 ** 2,
} as const

/** How the upload dialog goes about its files: one at a time, with room to breathe between them. */
export const uploadDialog = {
  /** From the moment files are chosen until they are looked at: by then the list stands. */
  settle: 100,
  /** How soon to look again whether the next file is ready for the one place to upload. */
  slotRetry: 100,
  pauseBetweenFiles: 300,
  /** Files whose pictures may be in memory at once, those of the one that uploads included. */
  preparedAtOnce: 3,
  /** In milliseconds: a file whose preparation makes no progress for this long goes up as it is. */
  preparationStallsAfter: 60_000,
  /** After a batch, until the gallery is read again. */
  refreshAfter: 300,
  /** In bytes: what the storage insights call small, optimal and large. */
  sizes: {
    smallBelow: 1024 ** 2,
    optimalFrom: 20 * 1024 ** 2,
    optimalTo: 200 * 1024 ** 2,
    largeAbove: 500 * 1024 ** 2,
  },
  /** A film is longer than what a phone records around a photo; a larger clip of the same name is a film of its own. */
  livePhotoClipBytes: 32 * 1024 ** 2,
} as const
