// Stores what lies in an inbox folder, until it is killed. Arguments: the settings as JSON.
import { noopLog } from '#server/cli/command.ts'
import { readConfig } from '#server/config.ts'
import { createContext } from '#server/context.ts'
import { createInbox } from '#server/source-folders/inbox.ts'

const settings = JSON.parse(process.argv[2] ?? '{}')
let now = Date.now()
const config = readConfig(settings)
const context = await createContext(config, { clock: () => now, log: noopLog })
const poll = createInbox(context, config.inboxFolder ?? '')
for (;;) {
  await poll(new AbortController().signal)
  now += 61_000
}
