// Checks the import rules of docs/architecture.md. Part of `npm run check`.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import {
  type Area,
  areaOf,
  client,
  contract,
  database,
  isIn,
  isOfServer,
  messages,
  seed,
  serverFeatures,
} from './lib/areas.ts'
import { type FileImport, findImportCycles } from './lib/import-cycles.ts'
import { brokenPathRules } from './lib/path-rules.ts'
import { type Import, readSourceFacts } from './lib/source-facts.ts'

export interface Violation {
  file: string
  line: number
  /** The end of an error message that starts with the file name. */
  says: string
}

/** Loads every file in `migrations`. */
const migrations = `${database}/migrate.ts`

/** Modules that can open a connection. The database, S3 and OIDC clients use their own, to configured addresses. */
const connectionPackages = new Set(
  ['http', 'https', 'http2', 'net', 'tls', 'dgram']
    .flatMap(name => [name, `node:${name}`])
    .concat('undici', 'axios', 'got'),
)
const connectionRule = 'the server fetches through kit/safe-fetch.ts, which checks where a connection leads'
/**
 * Exceptions: they only parse addresses with node:net, or are the single place that connects; the sandbox self-test
 * tries a local port.
 */
const mayOpenConnections = new Set([
  'server/src/config.ts',
  'server/src/processing/sandbox/open-sandbox.ts',
  'server/src/processing/sandbox/self-test-program.ts',
  'server/src/kit/ip-addresses.ts',
  'server/src/kit/safe-fetch.ts',
])

function opensConnections(file: string): boolean {
  return mayOpenConnections.has(file)
}

export function findViolations(root: string): Violation[] {
  const files = globSync(
    ['{client,contract,server,web}/src', seed].map(folder => `${folder}/**/*.{ts,tsx,mts,js,jsx,mjs}`),
    { cwd: root },
  )
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !isForTests(file))
    .sort()
  const violations: Violation[] = []
  const featureUses: FeatureUse[] = []
  const fileImports: FileImport[] = []

  for (const file of files) {
    const area = areaOf(file)
    if (!area) {
      violations.push({
        file,
        line: 1,
        says: 'is in a folder without a rule: add one in scripts/lib/areas.ts',
      })
      continue
    }
    const report = (line: number, says: string): void => void violations.push({ file, line, says })
    const facts = readSourceFacts(file, readFileSync(join(root, file), 'utf8'))
    for (const found of facts.imports) {
      const target = resolve(file, found.specifier)
      const broken = brokenRule(area, file, found, target)
      if (broken) report(found.line, broken)
      if (target) fileImports.push({ file, target, line: found.line })
      const used = target && serverFeatures.find(feature => isIn(feature, target))
      if (used && used !== area.folder && serverFeatures.includes(area.folder)) {
        featureUses.push({ from: area.folder, to: used, file, line: found.line })
      }
    }
    if (!isOfServer(file)) continue
    for (const { line, says } of brokenPathRules(file, facts)) report(line, says)
    if (file !== 'server/src/config.ts') {
      for (const line of facts.environmentReads) report(line, 'reads the environment: only server/src/config.ts may')
    }
    if (!opensConnections(file)) {
      for (const line of facts.fetches) report(line, `calls fetch: ${connectionRule}`)
    }
    if (!holdsQueries(file)) {
      for (const line of facts.queries) report(line, 'builds a query: queries belong in *.sql.ts files and in db')
    }
  }
  const cycles = findImportCycles(fileImports).map(({ file, line, path }) => ({
    file,
    line,
    says: `closes an import cycle (${path.join(' → ')}): move what both need to one of them, or to a third file`,
  }))
  return [...violations, ...featureCycles(featureUses), ...cycles]
}

function brokenRule(area: Area, file: string, found: Import, target: string | undefined): string | undefined {
  const { specifier } = found
  if (specifier === undefined) {
    return file === migrations ? undefined : 'imports a computed path, which no rule can judge: write the path out'
  }
  if (!target) return brokenPackageRule(area, file, specifier, found.typeOnly)

  if (isForTests(target)) return `imports ${target}: what is made for tests is for tests alone`
  if ([area.folder, messages, ...area.mayUse].some(used => isIn(used, target))) return undefined
  const apart = (isIn('web', file) && isIn('server', target)) || (isIn('server', file) && isIn('web', target))
  const rule = apart ? 'web and server never import each other, and share only the contract' : area.rule
  return `imports ${target}: ${rule}`
}

function brokenPackageRule(area: Area, file: string, specifier: string, typeOnly: boolean): string | undefined {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (specifier.startsWith('#')) return `imports ${specifier}: there is no such alias`
  if (area.folder === contract && name !== 'zod') return `imports ${specifier}: ${area.rule}`
  if (name === 'kysely' && !typeOnly && isOfServer(file) && !holdsQueries(file)) {
    return `imports ${specifier}: queries belong in *.sql.ts files and in db; elsewhere its types alone may be imported`
  }
  if (isOfServer(file) && !typeOnly && connectionPackages.has(specifier) && !opensConnections(file)) {
    return `imports ${specifier}: ${connectionRule}`
  }
  return undefined
}

/** The path from the root of the project; undefined for a package. */
function resolve(file: string, specifier: string | undefined): string | undefined {
  // Vite import suffixes, such as `?raw`.
  const path = specifier?.replace(/\?.*$/, '')
  if (path?.startsWith('.')) return posix.join(dirname(file), path)
  if (path?.startsWith('#client/')) return path.replace('#client', client)
  if (path?.startsWith('#contract/')) return path.replace('#contract', contract)
  if (path?.startsWith('#messages/')) return path.replace('#messages', messages)
  if (path?.startsWith('#server/')) return path.replace('#server', 'server/src')
  return undefined
}

/** `x.test.ts`, a folder `test-support`, and server/test. Tests may import anything. */
function isForTests(file: string): boolean {
  return /\.(test|contract)\.\w+$|\/test-|^server\/test\//.test(file)
}

function holdsQueries(file: string): boolean {
  return file.endsWith('.sql.ts') || isIn(database, file)
}

interface FeatureUse {
  from: string
  to: string
  file: string
  line: number
}

/** Each cycle once, at the import that closes it. */
function featureCycles(uses: readonly FeatureUse[]): Violation[] {
  const edges = [...Map.groupBy(uses, ({ from, to }) => `${from} ${to}`).values()].flatMap(group => group[0] ?? [])
  const imports = edges.map(({ from, to }, line) => ({ file: from, target: to, line }))
  return findImportCycles(imports).flatMap(({ line, path }) => {
    const closing = edges[line]
    const cycle = path.map(folder => posix.basename(folder)).join(' → ')
    const says = `closes a cycle of features (${cycle}): remove one of these imports`
    return closing ? { file: closing.file, line: closing.line, says } : []
  })
}

if (import.meta.main) {
  const violations = findViolations(process.cwd())
  for (const { file, line, says } of violations) console.error(`${file}:${line} ${says}.`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
