import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { Build, UsedPackage } from './src/about/licences.ts'

const root = join(import.meta.dirname, '..')
const MODULE = 'virtual:licences'
const RESOLVED = `\0${MODULE}`

/** `import build from 'virtual:licences'`: our version and licence, and those of every package that runs in production. */
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
}

/** From package-lock.json, so that a package cannot be used without being listed. */
export function readLicences(): Build {
  const { packages } = readJson(join(root, 'package-lock.json')) as { packages: Record<string, LockedPackage> }
  const used = new Map<string, UsedPackage>()
  for (const [folder, { version = '', license, dev }] of Object.entries(packages)) {
    if (folder === '' || dev) continue
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = license ?? licenceInFolder(join(root, folder))
    const known = used.get(name)
    if (!known) used.set(name, { name, versions: [version], licence })
    else if (!known.versions.includes(version)) known.versions.push(version)
  }
  const { version, license } = readJson(join(root, 'package.json')) as { version: string; license: string }
  return { version, licence: license, packages: [...used.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** Old packages state it in other places than npm reads. */
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
