// `npm run check`: runs every check even if one fails, so that a single run shows all problems.
import { ensureInstalled } from './lib/install.mjs'
import { inProject, projectNode } from './lib/project.mjs'
import { attempt, main } from './lib/run.mjs'

const checks = [
  {
    name: 'Biome (style and likely mistakes)',
    args: [bin('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings'],
  },
  { name: 'TypeScript: contract, server, scripts', args: [bin('typescript', 'bin/tsc'), '-p', 'tsconfig.json'] },
  { name: 'TypeScript: web', args: [bin('typescript', 'bin/tsc'), '-p', 'web'] },
  { name: 'TypeScript: service worker', args: [bin('typescript', 'bin/tsc'), '-p', 'web/src/service-worker'] },
  { name: 'TypeScript: end-to-end tests, benchmarks', args: [bin('typescript', 'bin/tsc'), '-p', 'e2e'] },
  { name: 'Import boundaries', args: [inProject('scripts', 'boundaries.ts')] },
  { name: 'Messages of all languages', args: [inProject('scripts', 'messages.ts'), '--check'] },
  { name: 'knip (what nobody uses)', args: [bin('knip', 'bin/knip.js')] },
]

await main(async () => {
  await ensureInstalled()
  const failed = []
  for (const { name, args } of checks) {
    console.log(`── ${name}`)
    if ((await attempt(projectNode(), args)) !== 0) failed.push(name)
  }
  console.log(failed.length === 0 ? 'Every check passed.' : `Not passed: ${failed.join('; ')}.`)
  return failed.length === 0 ? 0 : 1
})

/**
 * @param {string} pkg
 * @param {string} program
 */
function bin(pkg, program) {
  return inProject('node_modules', pkg, program)
}
