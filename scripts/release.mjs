// `npm run release`: packs the tracked files and the built pages, so that `npm start` needs no build after unpacking.
import { ensureInstalled } from './lib/install.mjs'
import { packRelease } from './lib/release.mjs'
import { main } from './lib/run.mjs'
import { ensureWebBuilt } from './lib/web.mjs'

await main(async () => {
  await ensureInstalled()
  await ensureWebBuilt()
  const archive = await packRelease()
  console.log(`${archive}\n${archive}.sha256`)
  return 0
})
