// `npm run bench` runs all benchmarks and checks their limits; `npm run bench -- NAME` runs one file of bench/.
import { readdirSync } from 'node:fs'
import { ensureInstalled } from './lib/install.mjs'
import { Failure, inProject, projectNode } from './lib/project.mjs'
import { attempt, main } from './lib/run.mjs'
import { ensureWebBuilt } from './lib/web.mjs'

await main(async () => {
  const known = readdirSync(inProject('bench')).flatMap(file => /^(.+)\.ts$/.exec(file)?.[1] ?? [])
  const wanted = process.argv.slice(2)
  const unknown = wanted.find(name => !known.includes(name))
  if (unknown) throw new Failure(`There is no benchmark called ${unknown}. There are: ${known.join(', ')}.`)

  await ensureInstalled()
  await ensureWebBuilt()
  let worst = 0
  for (const name of wanted.length > 0 ? wanted : known) {
    console.log(`── ${name}`)
    worst = Math.max(worst, await attempt(projectNode(), [inProject('bench', `${name}.ts`)]))
  }
  return worst
})
