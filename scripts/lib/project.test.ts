import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { inProject, serverArguments } from './project.mjs'

test('the container starts the server as `npm start` does', () => {
  const [program = '', ...flags] = [...serverArguments].reverse()
  const command = ['node', ...flags.reverse(), relative(inProject(), program)]
  const written = /^CMD (\[.*\])$/m.exec(readFileSync(inProject('deploy', 'Dockerfile'), 'utf8'))?.[1] ?? ''
  expect(JSON.parse(written)).toEqual(command)
})
