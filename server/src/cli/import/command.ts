import { resolve } from 'node:path'
import { type ImportKind, importKinds } from '#contract/imports.ts'
import { createContext } from '../../context.ts'
import { printableLine } from '../../kit/log.ts'
import { type Call, type Command, noopLog, readArguments, UsageError } from '../command.ts'
import { importFrom, listImportsOf, undoImportOf } from './from-system.ts'
import { importTree } from './import.ts'

const flags = { as: { type: 'string' }, again: { type: 'boolean' }, 'list-all': { type: 'boolean' } } as const

export const importCommand: Command = {
  usage: `npm run import -- FOLDER [--as EMAIL] [--again] [--list-all]
npm run import -- takeout FOLDER-OR-ZIP… [--as EMAIL] [--again] [--list-all]
npm run import -- list
npm run import -- undo NUMBER

Copies the photos and videos of FOLDER and the folders in it into the library; Heirloom must not be running for that.
“takeout” brings a Google Takeout with its dates, places, texts, hearts, albums and comments: name all its parts together,
as ZIP or .tgz files or unpacked. Heirloom may be running. “undo” takes back what one of these imports did.
The files stay as they are. Ctrl-C stops an import; run it again and it goes on.
  --as EMAIL   whose files and hearts they will be; otherwise the first admin's
  --again      also import what was imported before and deleted in the library since
  --list-all   list every file that was left out, not only the first ones`,

  async run(call) {
    const { values, words } = readArguments(call.args, flags, Number.POSITIVE_INFINITY)
    const [first, ...others] = words
    if (!first) throw new UsageError('Which folder should be imported?')
    const { as, again = false, 'list-all': listAll = false } = values
    if (first === 'list' && others.length === 0) return listImportsOf(call)
    if (first === 'undo' && others.length === 1) return undoImportOf(call, Number(others[0]))
    if (isKind(first) && others.length > 0) {
      const paths = others.map(path => resolve(call.cwd, path))
      return importFrom(call, { kind: first, paths, as, again, listAll })
    }
    if (others.length > 0) throw new UsageError(`“${others[0]}” is one word too many.`)
    return importFolder(call, { folder: resolve(call.cwd, first), as, again, listAll })
  },
}

function isKind(word: string): word is ImportKind {
  return importKinds.some(kind => kind === word)
}

async function importFolder(call: Call, options: Parameters<typeof importTree>[1]): Promise<number> {
  const context = await createContext(call.config, { clock: call.clock, log: noopLog })
  try {
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
}
