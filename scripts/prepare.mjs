// What `npm start` does first. Starts on the system's Node, before dependencies are installed: plain JavaScript, only built-in modules.
import { fillCompileCache } from './lib/compile-cache.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { main } from './lib/run.mjs'
import { ensureWebBuilt, isWebBuilt } from './lib/web.mjs'

await main(async () => {
  await ensureInstalled({ withDev: !isWebBuilt() })
  await ensureWebBuilt()
  await fillCompileCache()
  return 0
})
