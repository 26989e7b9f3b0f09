// `npm start`. Starts on the system's Node, before dependencies are installed: plain JavaScript, only built-in modules.
import { fillCompileCache } from './lib/compile-cache.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { compileCache, projectNode, serverArguments } from './lib/project.mjs'
import { main, run } from './lib/run.mjs'
import { ensureWebBuilt, isWebBuilt } from './lib/web.mjs'

await main(async () => {
  await ensureInstalled({ withDev: !isWebBuilt() })
  await ensureWebBuilt()
  fillCompileCache()
  const { code } = await run(projectNode(), serverArguments, { endsWithUs: true, env: compileCache })
  return code
})
