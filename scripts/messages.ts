// `npm run messages`: writes messages/types.ts from the English catalogues. With --check, as in `npm run check`, it writes
// nothing, and reports catalogues that do not fit each other, the code, or that file.
import { readFileSync, writeFileSync } from 'node:fs'
import { locales } from '../messages/locales.ts'
import { readMessageFiles } from './lib/message-files.ts'
import { messageProblems } from './lib/message-problems.ts'
import { messageTypes } from './lib/message-types.ts'

const typesFile = 'messages/types.ts'

if (import.meta.main) {
  const root = process.cwd()
  const types = messageTypes(readMessageFiles(root, locales[0]))
  if (process.argv.includes('--check')) {
    const problems = messageProblems(root)
    if (readFileSync(typesFile, 'utf8') !== types) problems.push(`${typesFile} is out of date: run npm run messages`)
    for (const problem of problems) console.error(problem)
    process.exitCode = problems.length === 0 ? 0 : 1
  } else {
    writeFileSync(typesFile, types)
  }
}
