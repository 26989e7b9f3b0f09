// `npm run dev`: live reload of the pages, restart of the server when its sources change.
import { ensureInstalled } from './lib/install.mjs'
import { inProject, projectNode } from './lib/project.mjs'
import { main, run } from './lib/run.mjs'

await main(async () => {
  await ensureInstalled()
  const { code } = await run(projectNode(), [inProject('scripts', 'lib', 'live-reload.mjs')], {
    endsWithUs: true,
  })
  return code
})
