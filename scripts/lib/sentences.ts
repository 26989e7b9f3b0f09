import { type ESTree, parseSync, Visitor } from 'vite'

export interface Sentence {
  text: string
  line: number
}

/** What a screen reader says or a pointer shows, apart from the text of an element. */
const spokenAttributes = new Set([
  'alt',
  'title',
  'placeholder',
  'label',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
])

/** Words that nobody sees: names of tags, calls that only developers read the message of. */
const unseenCalls = new Set(['Error', 'TypeError', 'RangeError', 'DOMException', 'logError', 'warn', 'debug'])

/**
 * Texts in code that a person may see: the text of elements, what screen readers say, and strings that look like a sentence.
 * Names, class lists, addresses and messages of thrown errors are not.
 */
export function findSentences(file: string, text: string): Sentence[] {
  const { program, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const found: Sentence[] = []
  const unseen: ESTree.Span[] = []
  const add = (node: ESTree.Span, words: string): void => {
    if (unseen.some(span => node.start >= span.start && node.end <= span.end)) return
    found.push({ text: words.trim(), line: text.slice(0, node.start).split('\n').length })
  }
  const hide = (node: ESTree.Span): void => void unseen.push(node)

  new Visitor({
    ImportDeclaration: hide,
    ExportAllDeclaration: hide,
    TSTypeAliasDeclaration: hide,
    TSInterfaceDeclaration: hide,
    TSTypeAnnotation: hide,
    NewExpression(node) {
      if (unseenCalls.has(nameOf(node.callee))) hide(node)
    },
    CallExpression(node) {
      if (unseenCalls.has(nameOf(node.callee))) hide(node)
    },
    // What `kit/queries.ts` writes to the console when a query fails.
    Property(node) {
      if (node.key.type === 'Identifier' && node.key.name === 'log') hide(node)
    },
    JSXText(node) {
      if (/\p{L}/u.test(node.value)) add(node, node.value)
    },
    JSXAttribute(node) {
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : ''
      if (!spokenAttributes.has(name)) {
        if (name === 'className' || name === 'd') hide(node)
        return
      }
      const value = node.value?.type === 'Literal' ? node.value.value : undefined
      if (typeof value === 'string' && /\p{L}{2}/u.test(value)) add(node, value)
    },
    Literal(node) {
      if (typeof node.value === 'string' && looksLikeSentence(node.value)) add(node, node.value)
    },
    TemplateLiteral(node) {
      const words = node.quasis.map(({ value }) => value.cooked ?? '').join('…')
      if (looksLikeSentence(words)) add(node, words)
    },
  }).visit(program)
  return found.filter(({ line }, index) => found.findIndex(other => other.line === line) === index)
}

function nameOf(node: ESTree.Node): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' && node.property.type === 'Identifier' ? node.property.name : ''
}

/** At least two words, of which the first is capitalised or the last ends like a sentence. */
function looksLikeSentence(text: string): boolean {
  const words = text.trim().split(/\s+/)
  if (words.length < 2 || !words.every(word => /^[\p{L}\d“”‘’"'(…–&,.:;!?)-]+$/u.test(word))) {
    return words.length === 1 && /^\p{Lu}\p{Ll}{2,}(…|\.|!|\?)$/u.test(text)
  }
  return /^[“"…]?\p{Lu}/u.test(words[0] ?? '') || /\p{L}[.!?…]$/u.test(text.trim())
}
