// `npm start`. Runs on the machine's own Node, before anything is installed: plain JavaScript, nothing but Node's own modules.
import { ensureInstalled } from './lib/install.mjs'
import { inProject, projectNode } from './lib/project.mjs'
import { main, run } from './lib/run.mjs'
import { ensureWebBuilt } from './lib/web.mjs'

await main(async () => {
  await ensureInstalled()
  await ensureWebBuilt()
  const { code } = await run(projectNode(), [inProject('server', 'src', 'main.ts')], {
    endsWithUs: true,
    // Node keeps what it made of the sources, which takes a third off every later start.
    env: { NODE_COMPILE_CACHE: inProject('node_modules', '.cache', 'compiled') },
  })
  return code
})
