// Checks the import rules of docs/architecture.md. Part of `npm run check`.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { type FileImport, findImportCycles } from './lib/import-cycles.ts'
import { type Import, readSourceFacts, type SourceFacts } from './lib/source-facts.ts'

export interface Violation {
  file: string
  line: number
  /** The end of an error message that starts with the file name. */
  says: string
}

/** A folder with its own rule, and the other folders that its files may import. */
interface Area {
  folder: string
  mayUse: readonly string[]
  rule: string
}

const contract = 'contract/src'
/** Generates the demo data of `npm run seed`. It depends on the server; the server never imports it. */
const seed = 'server/seed'
const serverKit = 'server/src/kit'
const database = 'server/src/db'
/** Loads every file in `migrations`. */
const migrations = `${database}/migrate.ts`
const processing = 'server/src/processing'
const serverBase = ['storage', 'db', 'jobs', 'live'].map(name => `server/src/${name}`)
const serverFeatures = [
  'auth',
  'people',
  'media',
  'folders',
  'albums',
  'places',
  'tags',
  'hearts',
  'notes',
  'links',
  'guest-uploads',
  'chat',
  'notifications',
  'audit',
  'metrics',
].map(name => `server/src/${name}`)
const webUi = 'web/src/ui'
const webKit = 'web/src/kit'
/** Shared by several web features: mentions in notes and chat, live updates, hearts, and how a media file is shown. */
const webBase = ['mentions', 'live', 'media', 'hearts'].map(name => `web/src/${name}`)
const webFeatures = [
  'auth',
  'gallery',
  'folders',
  'albums',
  'places',
  'viewer',
  'upload',
  'notes',
  'tags',
  'dates',
  'chat',
  'notifications',
  'admin',
  'trash',
  'settings',
  'person',
  'memories',
  'links',
  'guest-uploads',
  'about',
].map(name => `web/src/${name}`)

const areas: readonly Area[] = [
  { folder: contract, mayUse: [], rule: 'the contract imports zod and nothing else' },
  { folder: serverKit, mayUse: [contract], rule: 'the server kit may use the contract alone' },
  ...serverBase.map(folder => ({
    folder,
    // The queue and the event bus use the database.
    mayUse: /(jobs|live)$/.test(folder) ? [contract, serverKit, database] : [contract, serverKit],
    rule: 'shared server modules may use the kit and the contract (jobs and live the database too)',
  })),
  {
    folder: processing,
    mayUse: [contract],
    rule: 'processing may use the contract alone: its sandbox shows decoders no other code',
  },
  ...serverFeatures.map(folder => ({
    folder,
    mayUse: [contract, serverKit, processing, ...serverBase, ...serverFeatures.map(publicFile)],
    rule: 'a server feature may use itself, the shared modules, and the public.ts of another',
  })),
  { folder: webUi, mayUse: [], rule: 'ui knows nothing else of ours' },
  { folder: webKit, mayUse: [contract], rule: 'the web kit may use the contract alone' },
  ...webBase.map(folder => ({
    folder,
    mayUse: [contract, webUi, webKit],
    rule: 'shared web modules may use ui, kit and the contract',
  })),
  ...webFeatures.map(folder => ({
    folder,
    mayUse: [contract, webUi, webKit, ...webBase],
    rule: 'a web feature may use itself, ui, kit, mentions, live, media, hearts and the contract',
  })),
  { folder: 'web/src/app', mayUse: [contract, 'web/src'], rule: 'app composes the web and the contract, no more' },
  {
    folder: 'server/src/cli',
    mayUse: [contract, 'server/src', seed],
    rule: 'commands may use the server, the seed and the contract',
  },
  { folder: seed, mayUse: [contract, 'server/src'], rule: 'the seed may use the server and the contract' },
  // Files directly in these two folders wire everything together. Their subfolders are areas of their own, above.
  { folder: 'web/src', mayUse: [contract], rule: 'the web may use itself and the contract' },
  { folder: 'server/src', mayUse: [contract], rule: 'the server may use itself and the contract' },
]

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

const safePaths = `${serverKit}/safe-path.ts`
/**
 * The only files that may delete. Processing removes its own output in the caller's scratch folder, and files in the
 * folders that it shares with the sandbox.
 */
const mayDelete = [
  safePaths,
  'server/src/processing/exiftool.ts',
  'server/src/processing/sandbox/exchange.ts',
  'server/src/processing/sandbox/open-sandbox.ts',
  'server/src/processing/processing.ts',
  'server/src/processing/video/poster.ts',
  'server/src/processing/video/convert.ts',
]
/** Parsers: each validates one kind of untrusted text and returns a name in an exact format. */
const mayParseNames = [
  safePaths,
  'server/src/media/upload/resumable-store.ts',
  'server/src/cli/backup/backup-folder.ts',
]
/** Modules that are configured with a root folder. Features get their folder from them. */
const mayOpenRoots = [
  safePaths,
  'server/src/storage/local/local-storage.ts',
  'server/src/media/upload/resumable-in-folder.ts',
  'server/src/db/sqlite/snapshot-before-migration.ts',
]
/** Features and storage never build paths themselves: an unchecked name could escape the folder (path traversal). */
const pathBuilders = new Set(['join', 'resolve', 'normalize', 'posix', 'win32', '*'])
const deletions = new Set(['rm', 'rmSync', 'unlink', 'unlinkSync', 'rmdir', 'rmdirSync', '*'])
const brands: Readonly<Record<string, string>> = {
  RootFolder: safePaths,
  SafePath: safePaths,
  SafeName: safePaths,
  UploadId: 'server/src/media/upload/resumable-store.ts',
  StorageKey: 'server/src/storage/keys.ts',
}

/** Reports code that bypasses safe-path.ts: building paths or deleting elsewhere. */
function brokenPathRules(file: string, { names, casts }: SourceFacts): { line: number; says: string }[] {
  const found: { line: number; says: string }[] = []
  for (const { specifier, name, line } of names) {
    const module = specifier.replace(/^node:/, '')
    const add = (says: string): void => void found.push({ line, says })
    if (/^fs(\/promises)?$/.test(module) && deletions.has(name) && !mayDelete.includes(file)) {
      add(`imports ${name} of ${specifier}: files are deleted by ${safePaths} alone`)
    }
    if (/^path(\/(posix|win32))?$/.test(module) && pathBuilders.has(name) && buildsNoPaths(file)) {
      add(`imports ${name} of ${specifier}: a path is made by pathBelow in ${safePaths}`)
    }
    if (!module.endsWith('/safe-path.ts')) continue
    if ((name === 'safeName' || name === '*') && !mayParseNames.includes(file)) {
      add(`imports ${name} of ${safePaths}: a name from outside is made safe by the parsers of its kind alone`)
    }
    if (name === 'rootFolder' && !mayOpenRoots.includes(file) && !isComposition(file)) {
      add(`imports rootFolder: folders are opened by the composition root, and by ${mayOpenRoots.join(', ')}`)
    }
  }
  for (const { type, line } of casts) {
    const home = Object.hasOwn(brands, type) ? brands[type] : undefined
    if (home && home !== file) found.push({ line, says: `casts to ${type}, which only ${home} makes` })
  }
  return found
}

function buildsNoPaths(file: string): boolean {
  const areas = [serverKit, 'server/src/storage', 'server/src/jobs', 'server/src/live', ...serverFeatures]
  // The demo provider stores its keys in the data folder under a fixed name.
  const excepted = [safePaths, 'server/src/auth/demo/keys.ts']
  return areas.some(area => isIn(area, file)) && !excepted.includes(file)
}

function isComposition(file: string): boolean {
  return dirname(file) === 'server/src' || isIn('server/src/cli', file) || isIn(seed, file)
}

export function findViolations(root: string): Violation[] {
  const files = globSync(
    ['{contract,server,web}/src', seed].map(folder => `${folder}/**/*.{ts,tsx,mts,js,jsx,mjs}`),
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
        says: 'is in a folder without a rule: add one in scripts/boundaries.ts',
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
  if ([area.folder, ...area.mayUse].some(used => isIn(used, target))) return undefined
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
  if (path?.startsWith('#contract/')) return path.replace('#contract', contract)
  if (path?.startsWith('#server/')) return path.replace('#server', 'server/src')
  return undefined
}

function areaOf(file: string): Area | undefined {
  const area = areas.find(({ folder }) => isIn(folder, file))
  // A folder without its own area matches one of the roots, but their rule covers only the files directly in them.
  const isRoot = area?.folder === 'server/src' || area?.folder === 'web/src'
  return isRoot && dirname(file) !== area.folder ? undefined : area
}

/** `x.test.ts`, a folder `test-support`, and server/test. Tests may import anything. */
function isForTests(file: string): boolean {
  return /\.(test|contract)\.\w+$|\/test-|^server\/test\//.test(file)
}

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function isOfServer(file: string): boolean {
  return isIn('server/src', file) || isIn(seed, file)
}

function holdsQueries(file: string): boolean {
  return file.endsWith('.sql.ts') || isIn(database, file)
}

function publicFile(feature: string): string {
  return `${feature}/public.ts`
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
