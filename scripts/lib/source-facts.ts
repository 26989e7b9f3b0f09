import { type ESTree, parseSync, Visitor } from 'vite'

export interface Import {
  /** The import specifier; undefined if it is computed and unknown statically. */
  specifier: string | undefined
  line: number
  typeOnly: boolean
}

/** The facts about one source file that the import rules check. */
export interface SourceFacts {
  imports: Import[]
  /** Lines that read `process.env`. */
  environmentReads: number[]
  /** Lines that start a database query. */
  queries: number[]
  /** Lines that call `fetch`. */
  fetches: number[]
  /** Names imported from a module; `*` for a namespace import. */
  names: ImportedName[]
  /** Unchecked type assertions: `x as T`. */
  casts: { type: string; line: number }[]
}

export interface ImportedName {
  specifier: string
  name: string
  line: number
}

const queryBuilders = new Set(['selectFrom', 'insertInto', 'replaceInto', 'updateTable', 'deleteFrom', 'mergeInto'])

export function readSourceFacts(file: string, text: string): SourceFacts {
  const { program, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)

  const facts: SourceFacts = { imports: [], environmentReads: [], queries: [], fetches: [], names: [], casts: [] }
  const lineOf = (node: ESTree.Span): number => text.slice(0, node.start).split('\n').length
  const add = (node: ESTree.Span, specifier: string | undefined, typeOnly = false): void => {
    facts.imports.push({ specifier, line: lineOf(node), typeOnly })
  }

  new Visitor({
    ImportDeclaration(node) {
      add(node, node.source.value, isTypeOnly(node.importKind, node.specifiers))
      for (const specifier of node.specifiers) {
        facts.names.push({ specifier: node.source.value, name: importedName(specifier), line: lineOf(node) })
      }
      if (/^(node:)?process$/.test(node.source.value) && node.specifiers.some(importsEnv)) {
        facts.environmentReads.push(lineOf(node))
      }
    },
    ExportNamedDeclaration(node) {
      if (!node.source) return
      add(node, node.source.value, isTypeOnly(node.exportKind, node.specifiers))
      for (const { local } of node.specifiers) {
        const name = local.type === 'Literal' ? local.value : local.name
        facts.names.push({ specifier: node.source.value, name, line: lineOf(node) })
      }
    },
    ExportAllDeclaration(node) {
      add(node, node.source.value, node.exportKind === 'type')
      facts.names.push({ specifier: node.source.value, name: '*', line: lineOf(node) })
    },
    ImportExpression(node) {
      add(node, literal(node.source))
      facts.names.push({ specifier: literal(node.source) ?? '', name: '*', line: lineOf(node) })
    },
    TSAsExpression(node) {
      const type = node.typeAnnotation
      if (type.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
        facts.casts.push({ type: type.typeName.name, line: lineOf(node) })
      }
    },
    TSImportType(node) {
      add(node, node.source.value, true)
    },
    NewExpression(node) {
      const [target, base] = node.arguments
      // A worker is loaded by URL: new URL('./worker.ts', import.meta.url).
      const loaded = isNamed(node.callee, 'URL') && isImportMetaUrl(base) ? literal(target) : undefined
      if (loaded && /\.[mc]?[jt]sx?$/.test(loaded)) add(node, loaded)
    },
    CallExpression(node) {
      if (queryBuilders.has(propertyName(node.callee) ?? '')) facts.queries.push(lineOf(node))
      if (isFetch(node.callee)) facts.fetches.push(lineOf(node))
    },
    MemberExpression(node) {
      if (propertyName(node) === 'env' && isProcess(node.object)) facts.environmentReads.push(lineOf(node))
    },
    VariableDeclarator(node) {
      if (node.id.type === 'ObjectPattern' && isProcess(node.init) && node.id.properties.some(takesEnv)) {
        facts.environmentReads.push(lineOf(node))
      }
    },
  }).visit(program)
  return facts
}

/** `import type { A }`, and `import { type A }`. A side-effect import has no names and is not type-only. */
function isTypeOnly(kind: string | undefined, specifiers: readonly object[]): boolean {
  if (kind === 'type') return true
  return specifiers.length > 0 && specifiers.every(one => kindOf(one) === 'type')
}

function kindOf(specifier: object): unknown {
  if ('importKind' in specifier) return specifier.importKind
  return 'exportKind' in specifier ? specifier.exportKind : undefined
}

/** A default import of a Node module is the whole module. */
function importedName(specifier: ESTree.ImportDeclaration['specifiers'][number]): string {
  if (specifier.type !== 'ImportSpecifier') return '*'
  const { imported } = specifier
  const name = imported.type === 'Literal' ? imported.value : imported.name
  return name === 'default' || name === 'promises' ? '*' : name
}

function importsEnv(specifier: ESTree.ImportDeclaration['specifiers'][number]): boolean {
  return specifier.type === 'ImportSpecifier' && isNamed(specifier.imported, 'env')
}

function takesEnv(property: ESTree.ObjectPattern['properties'][number]): boolean {
  return property.type === 'Property' && isNamed(property.key, 'env')
}

/** `fetch` and `globalThis.fetch`; methods of other objects may have the same name. */
function isFetch(node: ESTree.Node): boolean {
  if (node.type === 'MemberExpression') return isNamed(node.object, 'globalThis') && propertyName(node) === 'fetch'
  return isNamed(node, 'fetch')
}

function isProcess(node: ESTree.Node | null): boolean {
  return isNamed(node, 'process') || (node?.type === 'MemberExpression' && propertyName(node) === 'process')
}

function isImportMetaUrl(node: ESTree.Node | undefined): boolean {
  return node?.type === 'MemberExpression' && propertyName(node) === 'url' && node.object.type === 'MetaProperty'
}

function isNamed(node: ESTree.Node | null, name: string): boolean {
  return node?.type === 'Identifier' && node.name === name
}

/** `b` of `a.b` and of `a['b']`. */
function propertyName(node: ESTree.Node): string | undefined {
  if (node.type !== 'MemberExpression') return undefined
  if (node.computed) return literal(node.property)
  return node.property.type === 'Identifier' ? node.property.name : undefined
}

function literal(node: ESTree.Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  const text = node?.type === 'TemplateLiteral' && node.quasis.length === 1 ? node.quasis[0]?.value.cooked : undefined
  return text ?? undefined
}
