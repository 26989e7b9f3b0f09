/** How Google Takeout names files and their sidecars. The names are in NFC. */

export interface FileName {
  stem: string
  /** `(1)`, or empty. */
  number: string
  /** With its dot, or empty. */
  extension: string
}

export function splitName(name: string): FileName {
  const [, stem = '', number = '', extension = ''] = /^(.*?)(\(\d{1,6}\))?(\.[^.]*)?$/s.exec(name) ?? []
  return { stem, number, extension }
}

const CLIPPED = 46
const SUFFIX = '.supplemental-metadata'

function clip(text: string): string {
  return text.slice(0, CLIPPED)
}

/** Possible names of the sidecar of a file, the most likely first. */
export function* sidecarNames({ stem, number, extension }: FileName): Generator<string> {
  const base = stem + extension
  yield `${base}${number}.json`
  yield `${clip(base)}${number}.json`
  yield `${base}${SUFFIX}${number}.json`
  yield `${clip(base + SUFFIX)}${number}.json`
  if (number !== '') {
    const whole = stem + number + extension
    yield `${whole}${SUFFIX}.json`
    yield `${clip(whole + SUFFIX)}.json`
    yield `${clip(whole)}.json`
  }
  // `20030616.json` of `20030616.jpg`, and `IMG_0001.MOV.json` of `IMG_0001.MOV.mp4`.
  if (extension !== '') yield `${stem}${number}.json`
}

/** Which file a sidecar is of, whatever length its name was clipped to: everything in front of the suffix, and the number. */
export function fileOfSidecar(sidecar: string): { base: string; number: string } | undefined {
  const [, name = '', number = ''] = /^(.*?)(\(\d{1,6}\))?\.json$/is.exec(sidecar) ?? []
  const dot = name.lastIndexOf('.')
  if (dot < 1 || !SUFFIX.startsWith(name.slice(dot))) return undefined
  return { base: name.slice(0, dot), number }
}

const editedSuffixes = [
  ...['-edited', '-bearbeitet', '-modifié', '-modificato', '-bewerkt', '-edytowane', '-ha editado', '-editado'],
  ...['-editat', '-muokattu', '-измененный', '-düzenlendi', '-編集済み', '-编辑', '-已修改', '-已編輯'],
  // Effects have no sidecar of their own either.
  ...['-effects', '-smile', '-mix'],
].map(suffix => suffix.normalize('NFC'))

const LONGEST_NAME = 51
const SHORTEST_CLIPPED_SUFFIX = 2

/** The file that this may be an edited version of. */
export function originalOfEdited({ stem, number, extension }: FileName): FileName | undefined {
  const whole = editedSuffixes.find(suffix => stem.endsWith(suffix))
  if (whole) return { stem: stem.slice(0, -whole.length), number, extension }
  if (stem.length + extension.length < CLIPPED || stem.length + extension.length > LONGEST_NAME) return undefined
  const dash = stem.lastIndexOf('-')
  const end = stem.slice(dash)
  if (dash < 1 || end.length < SHORTEST_CLIPPED_SUFFIX) return undefined
  const isClipped = editedSuffixes.some(suffix => suffix.startsWith(end))
  return isClipped ? { stem: stem.slice(0, dash), number, extension } : undefined
}

/** Whether a title is that of a file of this name, which may be clipped and has no characters that file systems refuse. */
export function isTitleOf(title: string, name: string): boolean {
  const onDisk = title.normalize('NFC').replace(/[\\/:*?"<>|%&'\r\n]/g, '_')
  const { stem, number, extension } = splitName(name)
  for (const candidate of [name, stem + extension]) {
    if (onDisk === candidate || (onDisk === stem && candidate === name && number === '')) return true
  }
  const titled = splitTitle(onDisk)
  const clipped = titled.stem.slice(0, LONGEST_NAME - titled.extension.length) + titled.extension
  return onDisk.length > LONGEST_NAME && clipped === stem + extension
}

function splitTitle(title: string): { stem: string; extension: string } {
  const dot = title.lastIndexOf('.')
  return dot < 1 ? { stem: title, extension: '' } : { stem: title.slice(0, dot), extension: title.slice(dot) }
}

/** Names that begin so are clipped in the middle of what a numbered copy has behind them. */
const FORGOTTEN = /^original_/
const LARGEST_DIFFERENCE = 10

/** Whether this is a numbered copy whose sidecar was forgotten: that of the first one serves both. */
export function isForgottenCopy({ stem, number }: FileName, sidecar: string): boolean {
  const other = sidecar.replace(/\.json$/i, '')
  const isCopy = number !== '' && FORGOTTEN.test(stem) && stem.startsWith(other)
  return isCopy && stem.length - other.length < LARGEST_DIFFERENCE
}
