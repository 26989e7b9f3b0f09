import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inProject } from './project.mjs'
import { step } from './run.mjs'
import { builtPaths, webSources } from './web.mjs'

/** Files that only development needs. `web`, `contract` and `messages` are included whole: the digest of the pages covers them. */
const developmentOnly = /^(bench|e2e|server\/test)\/|^server\/.*\.test\.ts$/

/**
 * Writes heirloom-VERSION.tar.gz, which holds one folder of the same name, and beside it its SHA-256 for `sha256sum -c`. Returns
 * the path of the archive.
 *
 * @param {string} [into]
 */
export async function packRelease(into = inProject('dist')) {
  const { version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  const name = `heirloom-${version}`
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-release-'))
  try {
    const tracked = releasedFiles()
    refuseUntracked(webSources(), tracked)
    for (const path of [...tracked, ...builtPaths]) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true })
      cpSync(inProject(path), join(folder, name, path), { recursive: true })
    }
    mkdirSync(into, { recursive: true })
    const archive = join(into, `${name}.tar.gz`)
    await step('The release could not be packed: see what tar said above.', 'tar', [
      ...sameBytesEachTime(),
      ...['-cf', archive, '-C', folder, name],
    ])
    writeFileSync(`${archive}.sha256`, `${sha256(archive)}  ${name}.tar.gz\n`)
    return archive
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Options of GNU tar, so that everybody who packs a commit gets the same archive: order, times, owners and modes are fixed. */
function sameBytesEachTime() {
  const committed = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: inProject(), encoding: 'utf8' }).trim()
  return [
    '--format=gnu',
    '--sort=name',
    `--mtime=@${committed}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    '--use-compress-program=gzip -n',
  ]
}

/** @param {string} file */
function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/**
 * Throws if the pages were built from files that git does not track: the digest would not match the sources in the
 * release, so they would be built again after unpacking.
 *
 * @param {string[]} sources
 * @param {string[]} tracked
 */
export function refuseUntracked(sources, tracked) {
  const known = new Set(tracked)
  const untracked = sources.filter(file => !known.has(file))
  if (untracked.length === 0) return
  throw new Error(
    `No release is packed while the pages are built from files that git does not track. Add them or remove them: ${untracked.join(', ')}`,
  )
}

/** What the archive holds beside the built pages. */
export function releasedFiles() {
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached'], { cwd: inProject(), encoding: 'utf8' })
  return tracked.split('\0').filter(file => file !== '' && !developmentOnly.test(file))
}
