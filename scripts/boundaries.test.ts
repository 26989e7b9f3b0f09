import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findViolations } from './boundaries.ts'

const trees: string[] = []

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true })
})

/** The violations in a project with these files, as `file:line says`. */
function violationsIn(files: Record<string, string>): string[] {
  const tree = mkdtempSync(join(tmpdir(), 'heirloom-boundaries-'))
  trees.push(tree)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  return findViolations(tree).map(({ file, line, says }) => `${file}:${line} ${says}`)
}

test('a tree that keeps to every rule is clean', () => {
  const violations = violationsIn({
    'contract/src/media.ts': "import { z } from 'zod'\nimport './limits.ts'",
    'server/src/kit/serve.ts': "import { x } from '#contract/media.ts'\nimport fastify from 'fastify'",
    'server/src/db/connect.ts': "import { Kysely } from 'kysely'\nimport '#server/kit/clock.ts'",
    'server/src/kit/safe-path.ts':
      "import { rm } from 'node:fs/promises'\nimport { join } from 'node:path'\nx as SafePath",
    'server/src/storage/local/local-storage.ts':
      "import { rootFolder } from '#server/kit/safe-path.ts'\nimport 'node:fs'",
    'server/src/media/upload/resumable-store.ts': "import { safeName } from '../../kit/safe-path.ts'\nx as UploadId",
    'server/src/db/migrations/0001.ts': "import { sql } from 'kysely'",
    'server/src/jobs/jobs.sql.ts': "import type { Tx } from '../db/schema.ts'\ntx.insertInto('jobs')",
    'server/src/processing/pool.ts': "new Worker(new URL('./worker.ts', import.meta.url))",
    'server/src/chat/chat.ts': [
      "import type { Kysely } from 'kysely'",
      "import { type Transaction } from 'kysely'",
      "import { notify } from '../notifications/public.ts'",
      "import { x } from './chat.sql.ts'",
      "import { queue } from '#server/jobs/queue.ts'",
    ].join('\n'),
    'server/src/chat/feature.ts': "import type { Feature } from '../feature.ts'\nimport './chat.ts'",
    'server/src/features.ts': "import './chat/feature.ts'",
    'server/src/chat/chat.test.ts': "import '../comments/comments.ts'\nprocess.env.PORT",
    'server/src/chat/test-support/family.ts': "import '../../comments/comments.ts'",
    'server/src/config.ts': 'process.env.PORT',
    'server/src/main.ts': "import './chat/routes.ts'\nimport './config.ts'",
    'server/src/cli/backup.ts': "import '../config.ts'\nimport '../media/media.ts'",
    'server/src/kit/safe-fetch.ts': "import { request } from 'node:https'",
    'server/src/kit/mount.ts': "import type { IncomingMessage } from 'node:http'\nperson.fetch('/')",
    'server/test/app.ts': "import '../src/chat/chat.sql.ts'",
    'web/src/ui/button.tsx': "import './button.css'\nexport const Button = () => <button />",
    'web/src/kit/call.ts': "import '#contract/media.ts'",
    'web/src/gallery/gallery.tsx':
      "import '../ui/button.tsx'\nimport '../kit/call.ts'\nimport logo from './logo.svg?url'",
    'web/src/app/app.tsx': "const Gallery = lazy(() => import('../gallery/gallery.tsx'))",
    'web/src/main.tsx': "import './app/app.tsx'",
  })
  expect(violations).toEqual([])
})

const planted: [name: string, file: string, text: string, says: string][] = [
  ['the contract uses a package beside zod', 'contract/src/a.ts', "import ms from 'ms'", 'imports ms: the contract'],
  ['the contract uses Node', 'contract/src/a.ts', "import 'node:fs'", 'imports node:fs: the contract imports zod'],
  ['the contract uses the server', 'contract/src/a.ts', "import '#server/kit/a.ts'", 'the contract imports zod'],
  [
    'the kit uses a feature',
    'server/src/kit/a.ts',
    "import '../chat/public.ts'",
    'the server kit may use the contract',
  ],
  [
    'the kit uses the database',
    'server/src/kit/a.ts',
    "import '#server/db/a.ts'",
    'the server kit may use the contract',
  ],
  ['storage uses the database', 'server/src/storage/local/a.ts', "import '../../db/a.ts'", 'may use the kit and the'],
  ['processing uses the kit', 'server/src/processing/a.ts', "import '../kit/a.ts'", 'may use the contract alone'],
  ['jobs use a feature', 'server/src/jobs/a.ts', "import '../media/public.ts'", 'may use the kit and the contract'],
  [
    'a feature uses the inside of another',
    'server/src/chat/a.ts',
    "import '../comments/comments.ts'",
    'public.ts of another',
  ],
  [
    'a feature uses another by its alias',
    'server/src/chat/a.ts',
    "import '#server/comments/comments.ts'",
    'public.ts of',
  ],
  [
    'a feature uses the configuration',
    'server/src/chat/a.ts',
    "import type { C } from '../config.ts'",
    'server feature',
  ],
  ['a feature uses the manifest of another', 'server/src/chat/a.ts', "import '../media/feature.ts'", 'public.ts of'],
  ['a feature uses the list of all', 'server/src/chat/a.ts', "import '../features.ts'", 'a server feature may use'],
  [
    'a web feature uses the manifest of another',
    'web/src/gallery/a.ts',
    "import '../albums/feature.ts'",
    'a web feature may use itself',
  ],
  ['a feature uses a command', 'server/src/media/a.ts', "import '../cli/backup.ts'", 'a server feature may use'],
  ['a feature uses a test helper', 'server/src/chat/a.ts', "import '../../test/app.ts'", 'for tests alone'],
  ['a rule uses a helper of its tests', 'server/src/chat/a.ts', "import './test-family.ts'", 'for tests alone'],
  ['the server uses the web', 'server/src/main.ts', "import '../../web/src/kit/a.ts'", 'never import each other'],
  [
    'the web uses the server',
    'web/src/main.tsx',
    "import type { A } from '#server/kit/a.ts'",
    'never import each other',
  ],
  ['ui uses the contract', 'web/src/ui/a.tsx', "import '#contract/media.ts'", 'ui knows nothing else of ours'],
  ['ui uses the kit', 'web/src/ui/a.tsx', "import '../kit/a.ts'", 'ui knows nothing else of ours'],
  ['the web kit uses ui', 'web/src/kit/a.ts', "import '../ui/a.tsx'", 'the web kit may use the contract alone'],
  ['a web feature uses another', 'web/src/chat/a.tsx', "import '../notes/a.tsx'", 'a web feature may use itself'],
  ['a web feature uses app', 'web/src/chat/a.tsx', "import '../app/a.tsx'", 'a web feature may use itself'],
  ['an unknown folder of the server', 'server/src/helpers/a.ts', '', 'a folder without a rule'],
  ['an unknown folder of the web', 'web/src/helpers/deep/a.ts', '', 'a folder without a rule'],
  ['an alias that does not exist', 'web/src/chat/a.ts', "import '#web/a.ts'", 'there is no such alias'],
  ['the environment is read', 'server/src/chat/a.ts', 'const port = process.env.PORT', 'reads the environment'],
  ['the environment is read by brackets', 'server/src/main.ts', "process['env']", 'reads the environment'],
  ['the environment is taken apart', 'server/src/main.ts', 'const { env } = process', 'reads the environment'],
  ['the environment is imported', 'server/src/kit/a.ts', "import { env } from 'node:process'", 'reads the environment'],
  ['a value of kysely is imported', 'server/src/chat/a.ts', "import { sql } from 'kysely'", 'its types alone'],
  ['kysely comes in a mixed import', 'server/src/jobs/a.ts', "import { type A, sql } from 'kysely'", 'its types alone'],
  ['a rule builds a query', 'server/src/chat/a.ts', "tx.selectFrom('messages')", 'builds a query'],
  ['a feature calls fetch', 'server/src/auth/a.ts', "await fetch('https://a.example')", 'calls fetch: the server'],
  ['the global fetch is called', 'server/src/kit/a.ts', 'globalThis.fetch(url)', 'calls fetch: the server'],
  [
    'a request is made',
    'server/src/auth/a.ts',
    "import { request } from 'node:https'",
    'fetches through kit/safe-fetch',
  ],
  ['a socket is opened', 'server/src/live/a.ts', "import { connect } from 'net'", 'fetches through kit/safe-fetch'],
  ['a request is imported late', 'server/src/main.ts', "await import('undici')", 'fetches through kit/safe-fetch'],
  ['the way is a re-export', 'server/src/kit/a.ts', "export * from '../chat/public.ts'", 'the server kit may use'],
  ['the way is a named re-export', 'web/src/ui/a.ts', "export { a } from '../kit/a.ts'", 'ui knows nothing else'],
  ['the way is a dynamic import', 'web/src/ui/a.ts', "await import('../kit/a.ts')", 'ui knows nothing else of ours'],
  ['the way is the type of an import', 'web/src/ui/a.ts', "type A = import('../kit/a.ts').A", 'ui knows nothing else'],
  [
    'the way is a worker',
    'web/src/ui/a.ts',
    "new URL('../kit/a.ts', import.meta.url)",
    'ui knows nothing else of ours',
  ],
  [
    'a file is deleted elsewhere',
    'server/src/media/a.ts',
    "import { rm } from 'node:fs/promises'",
    'files are deleted',
  ],
  [
    'a file is deleted by an old name',
    'server/src/main.ts',
    "import { unlinkSync as x } from 'fs'",
    'files are deleted',
  ],
  ['the whole of fs is imported', 'server/src/cli/a.ts', "import * as fs from 'node:fs'", 'files are deleted'],
  ['fs is imported by default', 'server/src/jobs/a.ts', "import fs from 'node:fs/promises'", 'files are deleted'],
  ['fs promises are imported', 'server/src/jobs/a.ts', "import { promises } from 'node:fs'", 'files are deleted'],
  ['fs is loaded', 'server/src/media/a.ts', "await import('node:fs')", 'files are deleted'],
  ['a deletion is passed on', 'server/src/media/a.ts', "export { rmdir } from 'node:fs'", 'files are deleted'],
  [
    'a feature joins a path',
    'server/src/media/a.ts',
    "import { join } from 'node:path'",
    'a path is made by pathBelow',
  ],
  ['storage joins a path', 'server/src/storage/a.ts', "import path from 'node:path'", 'a path is made by pathBelow'],
  [
    'a feature makes names safe by itself',
    'server/src/chat/a.ts',
    "import { safeName } from '../kit/safe-path.ts'",
    'parsers of its kind alone',
  ],
  [
    'a feature opens a folder of its own',
    'server/src/chat/a.ts',
    "import { rootFolder } from '#server/kit/safe-path.ts'",
    'folders are opened by the composition root',
  ],
  ['an id is cast', 'server/src/media/a.ts', 'const id = text as UploadId', 'casts to UploadId'],
  ['a path is cast', 'server/src/cli/a.ts', 'remove(path as SafePath)', 'casts to SafePath'],
  ['the way is computed', 'server/src/chat/a.ts', 'await import(path)', 'computed path'],
]

test.each(planted)('it is seen when %s', (_, file, text, says) => {
  expect(violationsIn({ [file]: `// a first line\n${text}` })).toEqual([expect.stringContaining(says)])
})

test('a violation is reported with its file and line', () => {
  const text = "import { z } from 'zod'\n\n// not here: import '../kit/a.ts'\nimport {\n  a,\n} from '../kit/a.ts'"
  expect(violationsIn({ 'web/src/ui/a.ts': text })).toEqual([
    'web/src/ui/a.ts:4 imports web/src/kit/a.ts: ui knows nothing else of ours',
  ])
})

test('a cycle of features through public.ts is reported once', () => {
  const violations = violationsIn({
    'server/src/chat/a.ts': "import '../comments/public.ts'",
    'server/src/comments/a.ts': "import '../people/public.ts'",
    'server/src/people/a.ts': "import type { A } from '../chat/public.ts'\nimport '../audit/public.ts'",
    'server/src/audit/a.ts': '',
  })
  expect(violations).toEqual([expect.stringContaining('(chat → comments → people → chat)')])
})

test.each([
  ['two files', { 'a.ts': "import './b.ts'", 'b.ts': "import './a.ts'" }, 'b.ts:1', 'a.ts → b.ts → a.ts'],
  [
    'an alias, a type and a re-export',
    {
      'a.ts': "import '#server/chat/b.ts'",
      'b.ts': "\nexport * from './c.ts'",
      'c.ts': "\nimport type { A } from './a.ts'",
    },
    'c.ts:2',
    'a.ts → b.ts → c.ts → a.ts',
  ],
  ['one file', { 'a.ts': "import './a.ts'" }, 'a.ts:1', 'a.ts → a.ts'],
])('an import cycle by way of %s is found', (_name, files, place, path) => {
  const inChat = Object.entries(files).map(([name, text]) => [`server/src/chat/${name}`, text])
  const shown = path.replaceAll(/\w+\.ts/g, name => `server/src/chat/${name}`)
  const expected = expect.stringContaining(`server/src/chat/${place} closes an import cycle (${shown})`)
  expect(violationsIn(Object.fromEntries(inChat))).toEqual([expected])
})

test('two ways to the same file are no import cycle', () => {
  const violations = violationsIn({
    'server/src/chat/a.ts': "import './b.ts'\nimport './c.ts'",
    'server/src/chat/b.ts': "import './d.ts'",
    'server/src/chat/c.ts': "import './d.ts'\nimport './b.ts'",
    'server/src/chat/d.ts': '',
  })
  expect(violations).toEqual([])
})

test('a file that cannot be parsed is no free pass', () => {
  expect(() => violationsIn({ 'web/src/ui/a.ts': 'import {' })).toThrow('web/src/ui/a.ts cannot be parsed')
})
