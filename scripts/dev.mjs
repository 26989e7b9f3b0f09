// `npm run dev`: the pages reload and the server restarts as their sources change.
import { ensureInstalled } from './lib/install.mjs'
import { inProject, projectNode } from './lib/project.mjs'
import { main, run, withParent } from './lib/run.mjs'

await main(async () => {
  await ensureInstalled()
  const { code } = await run(projectNode(), [...withParent, inProject('scripts', 'lib', 'live-reload.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return code
})
