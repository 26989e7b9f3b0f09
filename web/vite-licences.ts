import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { Build, UsedPackage } from './src/about/licences.ts'

const root = join(import.meta.dirname, '..')
const MODULE = 'virtual:licences'
const RESOLVED = `\0${MODULE}`

/** `import build from 'virtual:licences'`: our version and licence, and those of every package that runs on the server or in the pages. */
export function licences(): Plugin {
  return {
    name: 'licences',
    resolveId: id => (id === MODULE ? RESOLVED : undefined),
    load: id => (id === RESOLVED ? `export default ${JSON.stringify(readLicences())}` : undefined),
  }
}

interface LockedPackage {
  version?: string
  license?: string
  dev?: boolean
  dependencies?: Record<string, string>
}

/** From package-lock.json, so that a package cannot be used without being listed. */
export function readLicences(): Build {
  const { packages } = readJson(join(root, 'package-lock.json')) as { packages: Record<string, LockedPackage> }
  const used = new Map<string, UsedPackage>()
  const inPages = foldersInPages(packages)
  for (const [folder, { version = '', license, dev }] of Object.entries(packages)) {
    // Packages of the web app are development dependencies, but their code is distributed in its bundle.
    if (folder === '' || (dev && !inPages.has(folder))) continue
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = license ?? licenceInFolder(join(root, folder))
    const known = used.get(name)
    if (!known) used.set(name, { name, versions: [version], licence })
    else if (!known.versions.includes(version)) known.versions.push(version)
  }
  const { version, license } = readJson(join(root, 'package.json')) as { version: string; license: string }
  return { version, licence: license, packages: [...used.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** The packages in the web app's bundle: those that the sources import, and their dependencies. */
function foldersInPages(packages: Record<string, LockedPackage>): Set<string> {
  const found = new Set<string>()
  const add = (name: string, from: string): void => {
    const folder = resolveFolder(packages, name, from)
    if (folder === undefined || found.has(folder)) return
    found.add(folder)
    for (const needed of Object.keys(packages[folder]?.dependencies ?? {})) add(needed, folder)
  }
  for (const name of importedByPages()) add(name, '')
  return found
}

/** Node's module resolution: the package's own node_modules, then those of its parent folders. */
function resolveFolder(packages: Record<string, LockedPackage>, name: string, from: string): string | undefined {
  for (let base = from; ; base = base.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const folder = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`
    if (folder in packages) return folder
    if (base === '') return undefined
  }
}

/** Vite and its bundler add some runtime code to the bundle. */
const ADDED_BY_BUILD = ['vite', 'rolldown']

function importedByPages(): Set<string> {
  const names = new Set(ADDED_BY_BUILD)
  const files = globSync('web/src/**/*.{ts,tsx,css}', { cwd: root }).filter(file => !file.includes('.test.'))
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w.-]+)/g))
      names.add(specifier)
  }
  return names
}

/** Old packages use the `licenses` field or only state their licence in the README. */
function licenceInFolder(folder: string): string {
  if (!existsSync(folder)) return NOT_STATED
  const { licenses } = readJson(join(folder, 'package.json')) as { licenses?: { type: string }[] }
  if (licenses?.[0]) return licenses.map(({ type }) => type).join(' OR ')
  const readme = readdirSync(folder).find(name => /^readme/i.test(name))
  const stated = readme && /^#+ licen[cs]e\s+(?:\[|the )?([\w.-]+)/im.exec(readFileSync(join(folder, readme), 'utf8'))
  return stated ? (stated[1] ?? NOT_STATED) : NOT_STATED
}

const NOT_STATED = 'not stated'

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
