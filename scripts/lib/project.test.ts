import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { callbackPagePath, providerReturnPath, signInPath } from '#contract/auth.ts'
import { openShared, sharedFilePath, sharedPagePath } from '#contract/links.ts'
import { mediaFilePath, requestZip, zipPath } from '#contract/media.ts'
import { inProject, serverArguments, serverPaths } from './project.mjs'

test('the container starts the server as `npm start` does', () => {
  const [program = '', ...flags] = [...serverArguments].reverse()
  const command = ['node', ...flags.reverse(), relative(inProject(), program)]
  const written = /^CMD (\[.*\])$/m.exec(readFileSync(inProject('deploy', 'Dockerfile'), 'utf8'))?.[1] ?? ''
  expect(JSON.parse(written)).toEqual(command)
})

test('`npm run dev` passes on to the server what the server answers, and no page', () => {
  const served = [
    signInPath,
    providerReturnPath,
    mediaFilePath,
    requestZip.path,
    `${zipPath}?order=a`,
    '/files/a/b.jpg',
    openShared.path,
    sharedFilePath,
  ]
  const alone = ['/demo/choose/a', '/healthz', '/metrics']
  const pages = ['/', '/login', '/admin', '/about', sharedPagePath, callbackPagePath, '/zipper', '/?file=1']
  const passedOn = [...served, ...alone, ...pages].filter(path => new RegExp(serverPaths).test(path))
  expect(passedOn).toEqual([...served, ...alone])
})
