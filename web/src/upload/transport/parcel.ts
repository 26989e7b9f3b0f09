import { uploads } from '#contract/limits.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { type FileMetadata, type ImageVariants, nameInForm } from '#contract/upload.ts'
import type { PreparedVariant } from '../prepare/prepare.ts'

/** A file with everything that travels with it. */
export interface Parcel {
  name: string
  original: File
  hash: string | null
  metadata: PhotoMetadata | null
  folderId: number | null
  motion: File | null
  /** Made in this browser; absent where the server is to make them. */
  pictures?: { variants: readonly PreparedVariant[]; fullIsOriginal: boolean } | undefined
  converted?: File | undefined
}

/** The parts that can go by themselves, before the call that finishes the upload. */
export type PartRole = 'original' | 'converted' | 'motion'

const idFields = { original: 'uploadId', converted: 'convertedUploadId', motion: 'motionUploadId' } as const

/** What is large enough to go piece by piece. */
export function largeParts(parcel: Parcel): [PartRole, Blob][] {
  const { original, motion } = parcel
  const parts = Object.entries({ original, converted: shownOf(parcel), motion }) as [
    PartRole,
    Blob | null | undefined,
  ][]
  return parts.filter((part): part is [PartRole, Blob] => (part[1]?.size ?? 0) > uploads.resumableAbove)
}

/** What was made for browsers to show, of a file that they cannot. */
function shownOf({ converted, pictures }: Parcel): Blob | undefined {
  if (!pictures || pictures.fullIsOriginal) return converted
  return pictures.variants.find(({ type }) => type === 'full')?.blob
}

/** The form of the upload call, in which ids stand for the parts that went before it. */
export function formFor(parcel: Parcel, ids: ReadonlyMap<PartRole, string>): FormData {
  const form = new FormData()
  const { name, original, motion } = parcel
  const told = {
    originalName: name,
    hash: parcel.hash,
    metadata: parcel.metadata,
    folderId: parcel.folderId,
    lastModified: original.lastModified,
    ...(motion && { motionName: motion.name, motionLastModified: motion.lastModified }),
    ...Object.fromEntries([...ids].map(([role, id]) => [idFields[role], id])),
  }
  if (parcel.pictures) addPhoto(form, parcel, told, ids)
  else addFile(form, parcel, told, ids)
  if (motion && !ids.has('motion')) addPart(form, motion, `motion_${name}`)
  return form
}

function addPhoto(form: FormData, parcel: Parcel, told: FileMetadata, ids: ReadonlyMap<PartRole, string>): void {
  const { name, original, pictures } = parcel
  if (!pictures) return
  const { variants, fullIsOriginal } = pictures
  for (const { type, blob } of variants) {
    if (type !== 'full' || !(fullIsOriginal || ids.has('converted'))) addPart(form, blob, `${type}_${name}`)
  }
  if (!ids.has('original')) addPart(form, original, `${fullIsOriginal ? 'full' : 'original'}_${name}`)
  const sizes = variants.map(({ type, width, height }) => ({ type, width, height }))
  form.append('imageVariants', JSON.stringify({ ...told, variants: sizes } satisfies ImageVariants))
}

function addFile(form: FormData, parcel: Parcel, told: FileMetadata, ids: ReadonlyMap<PartRole, string>): void {
  const { name, original, converted, hash } = parcel
  if (converted && !ids.has('converted')) addPart(form, converted, `${name.replace(/\.[^.]*$/, '')}.mp4`)
  if (!ids.has('original')) addPart(form, original, converted ? `original_${name}` : name)
  if (hash !== null) form.append('hashes', hash)
  form.append('fileMetadata', JSON.stringify(told))
}

function addPart(form: FormData, bytes: Blob, name: string): void {
  form.append('files', bytes, nameInForm(name))
}
