/**
 * What each extension is served as. Only pictures, films and nothing a browser would run: no HTML, SVG or XML, whatever
 * the bytes are.
 */
const contentTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  heic: 'image/heic',
  heif: 'image/heif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  jxl: 'image/jxl',
  bmp: 'image/bmp',
  jp2: 'image/jp2',
  j2k: 'image/x-j2c',
  psd: 'image/vnd.adobe.photoshop',
  psb: 'image/vnd.adobe.photoshop',

  '3fr': 'image/x-hasselblad-3fr',
  arw: 'image/x-sony-arw',
  cr2: 'image/x-canon-cr2',
  cr3: 'image/x-canon-cr3',
  crw: 'image/x-canon-crw',
  dcr: 'image/x-kodak-dcr',
  dng: 'image/x-adobe-dng',
  erf: 'image/x-epson-erf',
  mrw: 'image/x-minolta-mrw',
  nef: 'image/x-nikon-nef',
  orf: 'image/x-olympus-orf',
  pef: 'image/x-pentax-pef',
  raf: 'image/x-fuji-raf',
  rw2: 'image/x-panasonic-rw2',
  srw: 'image/x-samsung-srw',
  x3f: 'image/x-sigma-x3f',

  mp4: 'video/mp4',
  webm: 'video/webm',
  ogg: 'video/ogg',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  m4v: 'video/x-m4v',
  mkv: 'video/x-matroska',
  mts: 'video/mp2t',
  m2ts: 'video/mp2t',
  ts: 'video/mp2t',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  avi: 'video/x-msvideo',
  wmv: 'video/x-ms-wmv',
  flv: 'video/x-flv',
  dv: 'video/x-dv',
  '3gp': 'video/3gpp',
  '3g2': 'video/3gpp2',
}

/** The type a key's extension stands for, or undefined: then the object is a mere download. */
export function contentTypeOf(key: string): string | undefined {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(key)?.[1]?.toLowerCase()
  return extension && Object.hasOwn(contentTypes, extension) ? contentTypes[extension] : undefined
}
