import type { Accept, FileRejection } from 'react-dropzone'
import { texts } from './texts.ts'

/** Files of professional cameras. */
const MXF = 'application/mxf'

/** All image and video types, plus camera formats for which browsers have no MIME type. */
export const accepted: Accept = {
  'image/*': [],
  'video/*': [],
  'image/heic': ['.heic', '.heif', '.hif'],
  // Sequences of pictures, of which the first is shown.
  'image/heic-sequence': ['.heics', '.heifs', '.avci', '.avcs', '.avifs'],
  'image/jxl': ['.jxl'],
  'image/tiff': ['.tif', '.tiff'],
  'image/jp2': ['.jp2', '.j2k', '.j2c', '.jpc', '.jpf', '.jpx'],
  'image/vnd.adobe.photoshop': ['.psd', '.psb'],
  'image/x-raw': '.crw .cr2 .cr3 .nef .nrw .arw .dng .raf .orf .rw2 .pef .srw .erf .dcr .3fr .x3f .mrw'.split(' '),
  // Google's extensions for the clip of a motion photo.
  'video/mp4': ['.mp4', '.mp', '.mv'],
  'video/mp2t': ['.mts', '.m2ts', '.m2t', '.ts'],
  'video/x-matroska': ['.mkv'],
  'video/x-msvideo': ['.avi'],
  'video/x-ms-wmv': ['.wmv'],
  'video/x-flv': ['.flv'],
  'video/x-dv': ['.dv', '.dif'],
  'video/quicktime': ['.mov'],
  'video/x-m4v': ['.m4v'],
  'video/mpeg': ['.mpg', '.mpeg', '.mpe', '.m1v', '.m2v', '.mpv', '.vob'],
  [MXF]: ['.mxf'],
  'video/3gpp': ['.3gp', '.3g2'],
}

/** Rejects empty files. */
export const MIN_FILE_SIZE = 1

/** Why the picker rejected a file; the first reason if there are several. */
export function rejectionReason({ errors }: Pick<FileRejection, 'errors'>): string {
  // An empty file of whatever type is called empty, which helps more than its type.
  if (errors.some(({ code }) => code === 'file-too-small')) return texts.emptyFile
  const [first] = errors
  if (first?.code === 'file-invalid-type') return texts.invalidType
  return first?.message || texts.invalidFile
}

/** Why a file that does not come from the picker is refused, by the same rules; null: it is accepted. */
export function refusalOf(file: File): string | null {
  if (file.size < MIN_FILE_SIZE) return texts.emptyFile
  return isPhotoOrVideo(file) ? null : texts.invalidType
}

function isPhotoOrVideo({ type, name }: File): boolean {
  const extension = `.${extensionOf(name).toLowerCase()}`
  return /^(image|video)\//.test(type) || type in accepted || Object.values(accepted).flat().includes(extension)
}

/** The folders a file was dropped in, outermost first. */
export function folderPathOf(file: File): string[] {
  const path = 'path' in file && typeof file.path === 'string' ? file.path : file.webkitRelativePath
  return path
    .split('/')
    .slice(0, -1)
    .filter(part => part !== '' && part !== '.')
}

/** Without the dot; empty for a name without one. */
export function extensionOf(name: string): string {
  return /\.([^./]+)$/.exec(name)?.[1] ?? ''
}

/** By its type, or by its extension where the browser knows no type. */
export function isVideo({ type, name }: Pick<File, 'type' | 'name'>): boolean {
  if (type !== '' && type !== MXF) return type.startsWith('video/')
  const extension = `.${extensionOf(name).toLowerCase()}`
  const isVideoType = (kind: string) => kind.startsWith('video/') || kind === MXF
  return Object.entries(accepted).some(([kind, names]) => isVideoType(kind) && names.includes(extension))
}

/** Hidden files of the operating system, which nobody chose on purpose. */
export function isHidden(file: File): boolean {
  return file.name.startsWith('.')
}
