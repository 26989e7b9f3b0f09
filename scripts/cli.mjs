// `npm run seed`, `import`, `backup` and `restore`. Starts on the system's Node, before dependencies are installed.
import { ensureInstalled } from './lib/install.mjs'
import { compileCache, inProject, projectNode } from './lib/project.mjs'
import { main, run } from './lib/run.mjs'
import { isWebBuilt } from './lib/web.mjs'

await main(async () => {
  // The same options as in `npm start`, so that neither reinstalls what the other has installed.
  await ensureInstalled({ withDev: !isWebBuilt() })
  const [command = '', ...args] = process.argv.slice(2)
  // npm runs scripts in the project's folder; INIT_CWD is the user's working directory, for relative paths.
  const cwd = process.env.INIT_CWD ?? process.cwd()
  const { code } = await run(projectNode(), [inProject('server', 'src', 'cli', 'main.ts'), command, cwd, ...args], {
    endsWithUs: true,
    env: compileCache,
  })
  return code
})
