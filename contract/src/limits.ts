/** All limits and timeouts of the product, from section 9 of the specification; times are in milliseconds. */

const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Ids of files in one query parameter. */
export const idsInQuery = 200

export const session = {
  /** A session expires when unused for this long: a tablet left in a drawer over the winter still works in spring. */
  idle: 90 * DAY,
  /** A session expires after this long even if it is used. */
  absolute: 365 * DAY,
  /** An expired session is recognised for so long, so that devices know it from one that somebody signed out. */
  rememberExpired: 90 * DAY,
  /** "Last used" is updated at most this often, to save a write on every call. */
  touchEvery: 5 * MINUTE,
} as const

/** Passwords for programs. */
export const appPasswords = {
  perPerson: 50,
  /** "Last used" is updated at most this often. */
  touchEvery: MINUTE,
  /** Different wrong ones of one address, and of a /48 of IPv6, which one customer may have. */
  guesses: { ofAddress: { burst: 30, perSecond: 0.1 }, ofNetwork: { burst: 120, perSecond: 0.4 } },
} as const

/** The time between "Continue with Google" and the provider's callback. */
export const signInAttempt = {
  ttl: 15 * MINUTE,
  /** Retry window: a page that was reloaded before the response arrived may confirm its sign-in again for this long. */
  confirmAgain: 30 * SECOND,
} as const

/** How long the browser of somebody who asked for access can ask what became of it, and how often it does. */
export const accessRequest = { ttl: 30 * DAY, poll: 3 * SECOND } as const

export const invitations = {
  /** An invitation for one e-mail address expires after this long, a link for anybody after a week. */
  emailTtl: 30 * DAY,
  linkTtl: 7 * DAY,
  /** How many people can use a link for anybody. */
  usesOfLink: 100,
  /** Maximum number of open invitations. */
  open: 50,
  /** How many are listed, open ones first. */
  listed: 100,
  /** How long a browser remembers the invitation that it opened. */
  remembered: HOUR,
} as const

/** "On this day", and what is new since the last visit. */
export const memories = {
  /** Photos of a day that are sent at once. */
  shown: 12,
  /** Days of the year that are tried where a day has no memories. */
  nearestTried: 8,
  /** Days and files that a person can hide. */
  hidden: 1_000,
} as const

export const visits = {
  /** A visit ends when the person has not been there for this long. */
  gap: HOUR,
  /** A page says at most this often that somebody is there. */
  recordEvery: 10 * MINUTE,
} as const

/** The cards above the photos. */
export const topCards = {
  /** Files that are counted at most: counting all of a large import would delay the first screen. */
  countedFiles: 10_000,
  /** Cards of each kind. */
  perKind: 6,
  /** Files of a day of which the first with a picture is the cover. */
  coversOfMemory: 4,
  /** Files of a story; the list has all. */
  story: 60,
  /** Cards that a person has put away and that are remembered. */
  putAway: 200,
} as const

export const changes = {
  /** Details count the files of a change that can be undone up to so many: to count 100,000 for each photo takes long. */
  countedFiles: 1_000,
  /** Of one file: how many of its last changes are searched for those that a person can undo, and how many are shown. */
  searched: 100,
  shown: 10,
  /** Of a person: how many of their last changes are searched for those that can be undone. */
  lastSearched: 40,
} as const

export const mail = {
  /** What one server sends at most in a minute: providers limit it, and count more as spam. */
  perMinute: 30,
  /** A mail that could not be sent for this long is news no more. */
  tooOld: 3 * DAY,
  /** What was sent is known for so long. */
  remembered: 30 * DAY,
  /** Requests for access that an admin is mailed of in a day; the others are among the notifications. */
  requestsPerDay: 20,
  /** Mails that are asked for in a day: tests by one person, and invitations by all admins. */
  testsPerDay: 10,
  invitationsPerDay: 100,
  /** Pictures in a digest, and the largest of them in bytes. */
  pictures: 6,
  pictureBytes: 60_000,
  /** Lines of each kind in a digest. */
  lines: 5,
  /** Damaged files that admins are mailed of. */
  damagedFiles: 200,
} as const

/** Notifications on devices (web push). */
export const push = {
  /** Devices of one person; a further one replaces the oldest. */
  devicesPerPerson: 20,
  /** Waits before it sends, so that what is read at once, as in an open conversation, is not sent. */
  delay: 5 * SECOND,
  /** Hearts are often given one after the other. */
  heartsDelay: MINUTE,
  /** New photos are announced when nobody has added any for `photosPause`, or after `photosLatest`. */
  photosPause: 10 * MINUTE,
  photosLatest: HOUR,
  /** What could not be sent for this long is news no more. The push services keep it for a device as long. */
  tooOld: DAY,
  /** Sent to one device in a minute; the rest waits. */
  perMinute: 20,
  /** Of one request to a push service. */
  timeout: 10 * SECOND,
  answerBytes: 64 * 1024,
  /** A longer wait that a push service asks for is shortened to this. */
  longestRetryAfter: HOUR,
  /** Where a person has this many notifications, no more are counted in one that gathers them. */
  gathered: 100,
} as const

export const rateLimits = {
  window: MINUTE,
  signIn: 120,
  /** Links of invitations that one address may open. */
  invitations: 30,
  /** Pictures of themselves that one person may upload. */
  pictures: 10,
  writes: 600,
  /** Files, folders and moves of one person over WebDAV. */
  webdavWrites: 3_000,
  /** Resumable uploads. Each is larger than `uploads.resumableAbove`, so a family's browsers never start this many. */
  uploadsBegun: 1_200,
  /** Links that one address may open. */
  linksOpened: 60,
  linkZips: 20,
  /** Addresses of links and invitations that one person may have shown again. */
  linksShown: 60,
  /** Mails that one person may have sent by hand: to try them, or with invitations. */
  mailsAsked: 10,
  /** App passwords that one person may make. */
  appPasswords: 20,
  /** Changes of the devices that one person has notifications on. */
  pushDevices: 60,
  /** Names that guests of one address give themselves: at a wedding all share one. */
  guestsNamed: 60,
  /** Files that guests begin to send: of one address, and by one link. */
  guestUploadsOfAddress: 300,
  guestUploadsOfLink: 600,
} as const

/**
 * What one address may cost a server without a session, in about milliseconds of its CPU. 200 people behind one address
 * who load the page and sign in cost 2,400.
 */
export const anonymousCosts = { burst: 3_000, perSecond: 100 } as const

/** Requests of one session that a server works on at the same time; browsers have as many connections. Others wait. */
export const requestsOfSession = 6

/** The stream of live events (SSE). */
export const live = {
  /** Short, because a page notices by its absence that the server hangs. */
  heartbeat: 5 * SECOND,
  /** Initial delay before a page reconnects; it backs off after each failure. */
  retry: 2 * SECOND,
  /** Maximum concurrent streams of one person, on one server. */
  streamsPerPerson: 20,
  /** Retry-After in seconds, when a person has too many streams. */
  retryWhenTooMany: 60,
} as const

/** Maximum text lengths in characters, and the maximum depth of folders. */
export const lengths = {
  email: 254,
  personName: 100,
  fileName: 255,
  caption: 500,
  folderName: 100,
  folderLevels: 50,
  tag: 50,
  note: 5_000,
  message: 5_000,
  groupTitle: 50,
  albumTitle: 100,
  guestName: 50,
  appPasswordName: 50,
  albumDescription: 5_000,
} as const

export const albums = {
  /** Maximum albums in one response. */
  page: 100,
} as const

/** On files and on albums. */
export const comments = {
  /** Maximum in one response. */
  page: 100,
} as const

/** Of responses that a person's devices have requested and not read, since the server keeps them in memory. */
export const unreadResponses = {
  /** Above this, further requests of this person are refused. */
  maxBytes: 32 * 1024 * 1024,
} as const

/** Limits of imports. */
export const imports = {
  /** A larger file is no sidecar; those of editors with long histories have a few hundred kilobytes. */
  sidecarBytes: 4 * 1024 * 1024,
  /** Maximum number of keywords that become tags. */
  sidecarTags: 50,
  /** Maximum files of one source. Each needs some memory. */
  sourceFiles: 500_000,
  /** Maximum problems that a report names. */
  problems: 100_000,
  /** Maximum length of a path in an archive. */
  pathLength: 1_000,
  /** Larger files that are compressed by more than this factor are no photos or videos. */
  bombBytes: 256 * 1024 ** 2,
  bombRatio: 100,
} as const

export const uploads = {
  /** Size of one chunk of a resumable upload. */
  chunkBytes: 8 * 1024 * 1024,
  /** Maximum file size in bytes. */
  largestBytes: 256 * 1024 ** 3,
  /** Maximum unfinished resumable uploads of one person. */
  unfinishedPerPerson: 200,
  /** Quota of all unfinished uploads in an S3 store, whose free space is unknown. On a disk, free space is checked. */
  unfinishedBytesInStore: 2 * 1024 ** 4,
  /** An abandoned upload expires after this long. */
  unfinishedTtl: DAY,
  /** An upload that sends nothing for this long is aborted. A slow one is fine. */
  stallsAfter: MINUTE,
  /** A larger part is sent by resumable upload; a smaller one within the upload call itself, which saves two calls. */
  resumableAbove: 4 * 1024 * 1024,
  /** Maximum bytes of all text fields of one multipart form. */
  formTextBytes: 1_000_000,
  /** Maximum parts of one multipart form; a photo with all its variants has seven. */
  mostParts: 60,
  /** Maximum concurrent upload calls of one person: each holds its form in memory and its files on disk. */
  openForms: 12,
} as const

/** Folders and the inbox for file managers and backup programs. */
export const webdav = {
  /** Levels of folders in an inbox, and characters of a whole path: an index of Postgres takes 2,700 bytes. */
  depth: 20,
  pathLength: 600,
  /** Properties that one PROPFIND may name. */
  properties: 100,
  /** What the inbox of a person can list. */
  entries: 500_000,
  /** Of one person at a time. */
  locks: 200,
  lockTtl: HOUR,
  ownerLength: 200,
  /** Largest XML body of a request. */
  xmlBytes: 32_000,
} as const

/** Videos converted for devices that can't play the original. */
export const compatibleVersions = {
  /** Maximum pending conversions of one person: each can take hours. */
  waitingPerPerson: 20,
} as const

/**
 * Files that one call changes, in one transaction: others who write wait for it, up to about a second on SQLite. Pages send
 * several calls for more. `read`: files that one call reads.
 */
export const bulkChanges = { files: 2_000, read: 100_000 } as const

/** Failed files that an admin retries with one call, in one transaction. */
export const bulkRetry = { files: 10_000 } as const

export const zips = {
  /** How long after the order the download of a ZIP can be started. */
  orderTtl: 10 * MINUTE,
  /** Orders of one person that are kept: each is a list of up to 100,000 ids. */
  ordersOfPerson: 20,
  /** ZIPs that one server sends at the same time: to one person, and to everybody. */
  ofPerson: { zips: 4, files: 300_000 },
  ofAll: { zips: 24, files: 1_000_000 },
  /** A ZIP of at most this many files is prepared at once, without waiting for larger ones. */
  small: 2_000,
} as const

/** Downloads in parts. */
export const exportLimits = {
  smallestPart: 1_000_000,
  largestPart: 1_000_000_000_000,
  /** How long after the request they can be downloaded. */
  ttl: 7 * DAY,
  /** Those of one person that are kept. */
  ofPerson: 5,
} as const

/** Links for people without an account. */
export const links = {
  title: 100,
  files: 10_000,
  defaultDays: 30,
  longestDays: 3_650,
  password: { shortest: 8, longest: 100 },
  /** Maximum links of one person that are not ended. */
  perPerson: 500,
  /** How long a browser that has opened a link may read it, without the secret and the password. */
  guestSessionTtl: DAY,
  /** How long a browser may show a file of a link without asking again: it can outlive the link by this much. */
  cached: 5 * MINUTE,
  /** ZIPs that one server sends to guests at the same time: to one address, by one link, and to all guests. */
  zipsOfAddress: { zips: 3, files: 300_000 },
  zipsOfLink: { zips: 8, files: 400_000 },
  zipsOfGuests: { zips: 12, files: 600_000 },
  /** How long an ended or expired link is kept. */
  keptAfterEnd: 30 * DAY,
} as const

/**
 * Wrong passwords of one link. After the `free` ones, one more is checked after a delay that doubles up to `longestDelay`.
 * They are forgotten when there was none for as long as `remembered`. Times are in minutes.
 */
export const linkPasswords = {
  ofAddress: { free: 10, longestDelay: 60, remembered: 24 * 60 },
  /** A /48 of IPv6, which one customer may have. */
  ofNetwork: { free: 30, longestDelay: 60, remembered: 24 * 60 },
  /** An address is new up to this many wrong passwords. */
  newAddress: 3,
  /** Of all addresses together, so that those who guess leave attempts for those who do not. */
  ofNewAddresses: { free: 60, longestDelay: 1, remembered: 60 },
  ofKnownAddresses: { free: 20, longestDelay: 10, remembered: 24 * 60 },
} as const

/** Files that guests send by upload links. */
export const guestUploads = {
  /** What one link takes, by default and at most. */
  files: { default: 500, max: 10_000 },
  bytes: { default: 20 * 1024 ** 3, max: 1024 ** 4 },
  /** How many people may use one link. */
  guestsPerLink: 1_000,
  /** How many files are listed at once. */
  page: 500,
  /** How many files one call decides on. */
  decided: 1_000,
  /** An upload that was started reserves its bytes of the link's limit for this long. */
  reserved: DAY,
  /** How long a browser remembers which guest it is. */
  remembered: 365 * DAY,
  /** Files that one server checks and stores at the same time: of one link, and of one address among them. */
  storedAtOnce: { ofLink: 6, ofAddress: 3 },
} as const

/** The picture of a person. */
export const pictures = {
  /** The longest side of the square that the page sends. */
  ownSize: 512,
  ownBytes: 600_000,
  /** A picture of few bytes may have so many pixels that decoding it takes a minute. */
  ownPixels: 20_000_000,
} as const

/** The ids of 100,000 files fit in. */
export const jsonBodyBytes = 2_000_000
/** Body limit of calls without a body, because some clients send an empty object anyway. */
export const noBodyBytes = 1_024
/** Body limit of calls without a session. Two names of files fit in, even if every letter is escaped. */
export const strangersBodyBytes = 8 * 1_024
/** Maximum nesting depth of JSON in a call; our deepest needs three. */
export const jsonDepth = 32

/** How long `/healthz` caches its last result. */
export const healthCheckTtl = { success: 10 * SECOND, failure: 2 * SECOND, timeout: 5 * SECOND } as const

/** Timeouts for receiving a request. Uploads may take hours; they use `uploads.stallsAfter`. */
export const requestTimes = {
  headers: 20 * SECOND,
  /** A body is aborted if no bytes arrive for this long. */
  bodyStallsAfter: 20 * SECOND,
  /** A body that takes longer is aborted even if bytes keep arriving (slowloris). */
  body: 3 * MINUTE,
  /** A response is aborted if the client reads nothing for this long, however much it has read before. */
  answerStallsAfter: MINUTE,
} as const

/** How long one query of a request that only reads may run. */
export const statementTimeout = 10 * SECOND

/**
 * Maximum concurrent connections of one server: each takes memory and a file descriptor, of which systems allow 1,024
 * or more. A browser opens up to six; behind a proxy they are shared.
 */
export const maxConnections = 4_000

export const toast = { duration: 4 * SECOND, durationWithUndo: 10 * SECOND } as const

/** The variants made of a photo: maximum longest side in pixels (never enlarged), JPEG quality, suffix of the name. */
export const variants = {
  thumbnail: { maxSize: 300, quality: 0.8, suffix: '_thumb' },
  mobile: { maxSize: 800, quality: 0.85, suffix: '_mobile' },
  website: { maxSize: 1920, quality: 0.9, suffix: '_website' },
  desktop: { maxSize: 2880, quality: 0.92, suffix: '_desktop' },
  full: { maxSize: Number.POSITIVE_INFINITY, quality: 0.95, suffix: '_full' },
} as const
export type VariantName = keyof typeof variants
/** Every photo has these variants. `full` is made only if browsers cannot show the original. */
export const viewingSizes = ['thumbnail', 'mobile', 'website', 'desktop'] as const satisfies VariantName[]

/** How many people are suggested after an @. */
export const mentions = { suggestions: 5 } as const

/** On a narrower screen (CSS pixels), or a touch screen, the viewer shows its details in a drawer. */
export const narrowScreen = 768

export const zoom = { smallest: 0.5, largest: 5, step: 0.5 } as const

export const rotationStep = 90

/** The saved rotation of a photo, clockwise in degrees. */
export const rotations = [0, 90, 180, 270] as const

/** How long the slideshow shows each photo, in seconds. */
export const slideshow = { seconds: [1, 2, 3, 5, 10, 15, 30], default: 3 } as const

/** Rehashing: how many files at once, and the progress percentage of each step. */
export const rehash = {
  atOnce: 2,
  progress: { started: 5, downloading: 10, downloaded: 50, hashing: 60, updating: 90, completed: 100 },
} as const

/** Polling intervals while there is no live stream. */
export const polls = { unreadCount: 30 * SECOND, chat: 5 * SECOND } as const

/** The largest number on a badge; more is `99+`. */
export const badgeCap = 99

export const chat = {
  /** How many characters of the last message the list shows. */
  preview: 40,
  /** A message younger than this shows its time of day; an older one shows its date. */
  timeOfDay: DAY,
  leastInGroup: 2,
  /** Groups that one person may begin within a time: each is in the lists of all its participants. */
  newGroups: { max: 30, within: HOUR },
  /** Typing is sent at most this often (throttled) and shown for this long. */
  typing: { every: 3 * SECOND, shown: 5 * SECOND },
} as const

/** Photos with a clip: Live Photos, motion photos. Times are in seconds. */
export const motionPhotos = {
  /** Phones record three seconds around a photo. A longer clip with the same name is a separate video. */
  longestClip: 6,
  /** Maximum difference between the timestamps of a still and its clip: the clip has the time it began or ended. */
  clockDifference: 5,
  /** In bytes: the largest clip that is extracted from a photo. Phones write about 3 MB. */
  embeddedClipBytes: 128 * 1024 ** 2,
} as const

/** The upload dialog uploads one file at a time, with pauses in between. */
export const uploadDialog = {
  /** Delay between choosing files and processing them, so that the list is rendered first. */
  settle: 100,
  /** Polling interval for whether the next file is ready for the only upload slot. */
  slotRetry: 100,
  pauseBetweenFiles: 300,
  /** Maximum files whose prepared pictures are in memory, including the one that is uploading. */
  preparedAtOnce: 3,
  /** In milliseconds: a file whose preparation makes no progress for this long is uploaded unprepared. */
  preparationStallsAfter: 60_000,
  /** Delay between the end of a batch and the refresh of the gallery. */
  refreshAfter: 300,
  /** In bytes: the thresholds for small, optimal and large in the storage insights. */
  sizes: {
    smallBelow: 1024 ** 2,
    optimalFrom: 20 * 1024 ** 2,
    optimalTo: 200 * 1024 ** 2,
    largeAbove: 500 * 1024 ** 2,
  },
  /** A larger clip with the same name is a separate video: phones record only a few seconds around a photo. */
  livePhotoClipBytes: 32 * 1024 ** 2,
} as const

export const map = {
  /** The offline atlas shows nothing more beyond this. */
  maxZoom: 12,
  /** Files closer than this on the screen are one cluster, in pixels. */
  clusterSize: 64,
  /** How many clusters and towns one response has at most. */
  clusters: 2_000,
  towns: 250,
  /** Clusters of more files than this in sight are named by a sample of about as many. */
  namedFiles: 5_000,
  /** How many towns of a country the page of places shows. */
  townsOfCountry: 60,
  placesFound: 12,
} as const

/** What the share menu hands over waits on the device until the person uploads it. Any website can send such a form. */
export const sharedFiles = {
  max: 500,
  bytes: 8 * 1024 ** 3,
  keptFor: HOUR,
  /** In bytes: a larger form that reaches the server, which stores nothing of it, is cut off. */
  readByServer: 64 * 1024 ** 2,
} as const
