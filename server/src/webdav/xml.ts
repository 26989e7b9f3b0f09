import { SaxesParser } from 'saxes'
import { AppError } from '../kit/errors.ts'

/** An element name with its namespace. */
export interface XmlName {
  namespace: string
  name: string
}

export interface XmlElement extends XmlName {
  children: XmlElement[]
  text: string
}

const MAX_DEPTH = 20
const MAX_ELEMENTS = 1_000

/** Parses the body of a request. Document types are refused: with them come entities, which grow without limit or read files. */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const path: XmlElement[] = []
  let root: XmlElement | undefined
  let elements = 0
  parser.on('error', notUnderstood)
  parser.on('doctype', notUnderstood)
  parser.on('opentag', ({ local, uri }) => {
    const element = { namespace: uri, name: local, children: [], text: '' }
    if (++elements > MAX_ELEMENTS || path.length >= MAX_DEPTH) notUnderstood()
    path.at(-1)?.children.push(element)
    root ??= element
    path.push(element)
  })
  parser.on('closetag', () => void path.pop())
  parser.on('text', part => {
    const element = path.at(-1)
    if (element) element.text += part
  })
  parser.write(text).close()
  return root ?? notUnderstood()
}

function notUnderstood(): never {
  throw new AppError('malformed', 'webdav.xml')
}

export function childOf({ children }: XmlElement, wanted: string): XmlElement | undefined {
  return children.find(({ namespace, name }) => namespace === DAV && name === wanted)
}

/** The namespace of WebDAV. Answers use the prefix `D` for it. */
export const DAV = 'DAV:'

/** Characters that XML cannot contain are left out. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/** An element; `content` is XML. */
export function element({ namespace, name }: XmlName, content = ''): string {
  const isDav = namespace === DAV
  const tag = isDav ? `D:${name}` : name
  const attributes = isDav ? '' : ` xmlns="${escapeXml(namespace)}"`
  return content === '' ? `<${tag}${attributes}/>` : `<${tag}${attributes}>${content}</${tag}>`
}

export function dav(name: string, content = ''): string {
  return element({ namespace: DAV, name }, content)
}

export const xmlHead = '<?xml version="1.0" encoding="utf-8"?>\n'
/** Opens an element of the namespace that declares the prefix `D`. */
export function document(name: string, content: string): string {
  return `${xmlHead}<D:${name} xmlns:D="DAV:">${content}</D:${name}>`
}
