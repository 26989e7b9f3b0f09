import { resolve } from 'node:path'
import { createContext } from '../../context.ts'
import { printableLine } from '../../kit/log.ts'
import { type Command, noopLog, readArguments, UsageError } from '../command.ts'
import { importTree } from './import.ts'

export const importCommand: Command = {
  usage: `npm run import -- FOLDER [--as EMAIL] [--again] [--list-all]

Copies the photos and videos of FOLDER and the folders in it into the library. The files in FOLDER stay as they are. Heirloom
must not be running. Ctrl-C stops it; run it again and it goes on.
  --as EMAIL   whose files they will be; otherwise the first admin's
  --again      also import what was imported before and deleted in the library since
  --list-all   list every skipped file, not only the first ones`,

  async run(call) {
    const flags = { as: { type: 'string' }, again: { type: 'boolean' }, 'list-all': { type: 'boolean' } } as const
    const { values, words } = readArguments(call.args, flags, 1)
    const [folder] = words
    if (!folder) throw new UsageError('Which folder should be imported?')
    const context = await createContext(call.config, { clock: call.clock, log: noopLog })
    try {
      const { as, again = false, 'list-all': listAll = false } = values
      const options = { folder: resolve(call.cwd, folder), as, again, listAll }
      const { tally, uploader } = await importTree(context, options, call)
      if (tally.added > 0) {
        call.out.write(
          `They belong to ${printableLine(uploader.name)}. Heirloom prepares them when it next starts (npm start).\n`,
        )
      }
      return tally.skipped.has('unreadable') ? 1 : 0
    } finally {
      await context.close()
    }
  },
}
