import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { inProject } from './project.mjs'
import { packRelease, refuseUntracked } from './release.mjs'
import { readSourceFacts } from './source-facts.ts'

const manifest = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
const running = new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))

test('an unpacked release starts without a build, until somebody changes its pages', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-unpacked-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const archive = await packRelease(folder)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  const release = join(folder, `heirloom-${manifest.version}`)
  expect(isBuiltIn(release)).toBe(true)
  for (const path of [
    'server/src/main.ts',
    'scripts/prepare.mjs',
    'scripts/start.mjs',
    'web/dist/index.html',
    'package-lock.json',
    '.npmrc',
  ]) {
    expect(existsSync(join(release, path)), path).toBe(true)
  }
  for (const path of ['node_modules', 'e2e', 'server/test', '.env', 'data']) {
    expect(existsSync(join(release, path)), path).toBe(false)
  }
  const page = join(release, 'web/index.html')
  writeFileSync(page, `${readFileSync(page, 'utf8')}<!-- changed -->`)
  expect(isBuiltIn(release)).toBe(false)

  // Packed again, also by an account with other permissions, it is the same.
  execFileSync('sha256sum', ['--check', '--strict', `${basename(archive)}.sha256`], { cwd: folder })
  const sum = readFileSync(`${archive}.sha256`, 'utf8')
  expect(sum).toMatch(new RegExp(`^[0-9a-f]{64}  heirloom-${manifest.version}\\.tar\\.gz\n$`))
  const umask = process.umask(0o077)
  onTestFinished(() => void process.umask(umask))
  const again = await packRelease(join(folder, 'again'))
  expect(readFileSync(`${again}.sha256`, 'utf8')).toBe(sum)
})

test('a release is not packed while a source of its pages is not tracked, and the refusal names it', () => {
  expect(() => refuseUntracked(['web/index.html'], ['web/index.html', 'README.md'])).not.toThrow()
  expect(() => refuseUntracked(['web/index.html', 'web/notes.txt'], ['web/index.html'])).toThrow(': web/notes.txt')
})

function isBuiltIn(release: string): boolean {
  const web = JSON.stringify(pathToFileURL(join(release, 'scripts/lib/web.mjs')).href)
  const program = `import { isWebBuilt } from ${web}; console.log(isWebBuilt())`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim() === 'true'
}

test('whatever the running server imports is installed for running, and nothing else is', () => {
  const files = globSync(['{server,contract}/src/**/*.ts', 'messages/*.ts'], { cwd: inProject() }).filter(isRunning)
  expect(files.length).toBeGreaterThan(200)
  const used = new Set<string>()
  for (const file of files) {
    const text = readFileSync(inProject(file), 'utf8')
    for (const { specifier, typeOnly } of readSourceFacts(file, text).imports) {
      if (typeOnly || !specifier || /^[.#]|^node:|\.ts$/.test(specifier)) continue
      expect([...running], `${file} imports ${specifier}`).toContain(packageOf(specifier))
      used.add(packageOf(specifier))
    }
    // Files of a package that are read by path.
    for (const name of running) if (text.includes(`'${name}`)) used.add(name)
  }
  // The scripts start Node itself.
  expect([...running].filter(name => !used.has(name) && name !== 'node')).toEqual([])
})

function isRunning(file: string): boolean {
  return !/\.(test|contract)\.ts$|\/test-support\//.test(file)
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
