import { readFileSync } from 'node:fs'
import { locales } from '#messages/locales.ts'
import { textsIn } from '../kit/messages.ts'
import type { ExportedFile } from './library.sql.ts'

// `index.html` of an export, which shows it from a disk, without Heirloom: web/src/exported/viewer.js. Its data are scripts that call
// a function of the page, because a page from a disk can fetch nothing.

const sources = new URL('../../../web/src/exported/', import.meta.url)
const source = (name: string) => readFileSync(new URL(name, sources), 'utf8')

/** The page without its data. */
export function pageFiles(): { path: string; text: string }[] {
  const texts = Object.fromEntries(locales.map(locale => [locale, textsIn('export-page', locale)]))
  return [
    { path: 'index.html', text: source('index.html') },
    { path: 'data/viewer.css', text: source('viewer.css') },
    { path: 'data/viewer.js', text: source('viewer.js') },
    { path: 'data/texts.js', text: callOf('texts', texts) },
  ]
}

export function yearScript(year: string, files: readonly object[]): { path: string; text: string } {
  return { path: `data/${year}.js`, text: callOf('year', year, files) }
}

export function libraryScript(library: { title: string; years: object[]; albums: object[] }) {
  return { path: 'data/library.js', text: callOf('library', library) }
}

/** What no script, and no HTML around it, understands as anything but text. */
function callOf(name: string, ...values: unknown[]): string {
  const json = values.map(value => JSON.stringify(value))
  const escaped = json
    .join()
    .replaceAll(/[<>&\u2028\u2029]/g, unsafe => `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `heirloom.${name}(${escaped})\n`
}

/** What the page shows of a photo, with the names that the viewer explains. */
export function itemOf(
  file: ExportedFile,
  paths: { path: string; preview: string | undefined; clip: string | undefined },
): object {
  const { path, preview, clip } = paths
  const lovedBy: readonly string[] = file.ofFeatures.flatMap(({ xmp }) => xmp?.lovedBy ?? [])
  const notes = file.notes.map(({ by, at, text }) => ({ by: by.name, at: new Date(at).toISOString(), text }))
  return {
    p: path,
    d: file.edtf ?? undefined,
    v: file.isVideo ? 1 : undefined,
    s: file.isShown ? 1 : undefined,
    e: preview?.slice(preview.lastIndexOf('.')),
    k: clip,
    r: file.rotation || undefined,
    c: file.caption ?? undefined,
    w: file.location ?? undefined,
    f: file.folder ?? undefined,
    u: file.sentBy ?? file.uploadedBy.name,
    t: file.tags.length > 0 ? file.tags : undefined,
    h: lovedBy.length > 0 ? lovedBy : undefined,
    n: notes.length > 0 ? notes : undefined,
  }
}
