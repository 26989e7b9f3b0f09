// `npm run seed`, `import`, `backup` and `restore`. Runs on the machine's own Node, before anything is installed.
import { ensureInstalled } from './lib/install.mjs'
import { compileCache, inProject, projectNode } from './lib/project.mjs'
import { main, run } from './lib/run.mjs'
import { isWebBuilt } from './lib/web.mjs'

await main(async () => {
  // As `npm start` does, so that neither replaces what the other has installed.
  await ensureInstalled({ withDev: !isWebBuilt() })
  const [command = '', ...args] = process.argv.slice(2)
  // npm runs scripts in the project's folder and says here where the person stands, whose paths begin there.
  const standsIn = process.env.INIT_CWD ?? process.cwd()
  const { code } = await run(
    projectNode(),
    [inProject('server', 'src', 'cli', 'main.ts'), command, standsIn, ...args],
    { endsWithUs: true, env: compileCache },
  )
  return code
})
