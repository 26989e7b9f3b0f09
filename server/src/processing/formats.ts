interface FormatFacts {
  readonly kind: 'image' | 'video'
  readonly mime: string
  readonly extension: string
  /** For a video only whether browsers support the container; the codecs decide as well. */
  readonly browserShows: boolean
}

function image(mime: string, extension: string, browserShows = false) {
  return { kind: 'image', mime, extension, browserShows } as const
}

function video(mime: string, extension: string, browserShows = false) {
  return { kind: 'video', mime, extension, browserShows } as const
}

/** All supported formats. */
export const formats = {
  jpeg: image('image/jpeg', 'jpg', true),
  png: image('image/png', 'png', true),
  webp: image('image/webp', 'webp', true),
  gif: image('image/gif', 'gif', true),
  avif: image('image/avif', 'avif', true),
  tiff: image('image/tiff', 'tif'),
  heic: image('image/heic', 'heic'),
  jxl: image('image/jxl', 'jxl'),
  bmp: image('image/bmp', 'bmp'),
  jp2: image('image/jp2', 'jp2'),
  j2k: image('image/x-j2c', 'j2k'),
  psd: image('image/vnd.adobe.photoshop', 'psd'),
  psb: image('image/vnd.adobe.photoshop', 'psb'),

  // RAW formats of cameras. Nearly all contain a JPEG preview.
  crw: image('image/x-canon-crw', 'crw'),
  cr2: image('image/x-canon-cr2', 'cr2'),
  cr3: image('image/x-canon-cr3', 'cr3'),
  nef: image('image/x-nikon-nef', 'nef'),
  arw: image('image/x-sony-arw', 'arw'),
  dng: image('image/x-adobe-dng', 'dng'),
  raf: image('image/x-fuji-raf', 'raf'),
  orf: image('image/x-olympus-orf', 'orf'),
  rw2: image('image/x-panasonic-rw2', 'rw2'),
  pef: image('image/x-pentax-pef', 'pef'),
  srw: image('image/x-samsung-srw', 'srw'),
  erf: image('image/x-epson-erf', 'erf'),
  dcr: image('image/x-kodak-dcr', 'dcr'),
  hasselblad: image('image/x-hasselblad-3fr', '3fr'),
  x3f: image('image/x-sigma-x3f', 'x3f'),
  mrw: image('image/x-minolta-mrw', 'mrw'),

  mp4: video('video/mp4', 'mp4', true),
  webm: video('video/webm', 'webm', true),
  ogg: video('video/ogg', 'ogv', true),
  mov: video('video/quicktime', 'mov'),
  m4v: video('video/x-m4v', 'm4v'),
  mkv: video('video/x-matroska', 'mkv'),
  mts: video('video/mp2t', 'mts'),
  ts: video('video/mp2t', 'ts'),
  mpg: video('video/mpeg', 'mpg'),
  mxf: video('application/mxf', 'mxf'),
  avi: video('video/x-msvideo', 'avi'),
  dv: video('video/x-dv', 'dv'),
  wmv: video('video/x-ms-wmv', 'wmv'),
  flv: video('video/x-flv', 'flv'),
  '3gp': video('video/3gpp', '3gp'),
  '3g2': video('video/3gpp2', '3g2'),
} as const satisfies Record<string, FormatFacts>

export type Format = keyof typeof formats

export type ImageFormat = { [F in Format]: (typeof formats)[F]['kind'] extends 'image' ? F : never }[Format]
export type VideoFormat = Exclude<Format, ImageFormat>

const rawFormats = new Set<Format>([
  'crw',
  'cr2',
  'cr3',
  'nef',
  'arw',
  'dng',
  'raf',
  'orf',
  'rw2',
  'pef',
  'srw',
  'erf',
  'dcr',
  'hasselblad',
  'x3f',
  'mrw',
])

export function isRaw(format: Format): boolean {
  return rawFormats.has(format)
}
