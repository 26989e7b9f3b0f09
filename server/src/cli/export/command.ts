import { resolve } from 'node:path'
import { rootFolder } from '../../kit/safe-path.ts'
import { type Call, type Command, readArguments, UsageError } from '../command.ts'
import { inBytes, inCount, inList } from '../progress.ts'
import { exportLibrary, isCompleteExport } from './export.ts'
import { verifyExport } from './verify.ts'

export const exportCommand: Command = {
  usage: `npm run export -- FOLDER [--album TITLE] [--folder PATH] [--since DAY] [--person USERNAME] [--verify]

Copies all photos and videos, except deleted ones, to the empty FOLDER, by year and month, also while Heirloom is running. Beside
each is what the family knows of it, for other programs: date, place, tags, notes and hearts (.xmp and .JSON), and
albums.json has the albums with their comments. Chats and accounts stay behind: for those make a backup. Ctrl-C stops it;
run it again and it goes on.
  --album TITLE      only the photos of this album
  --folder PATH      only those in this folder and the folders in it, as in "Holidays/Cornwall"
  --since DAY        only those uploaded on this day or later, as in 2024-12-31
  --person USERNAME  only those that this person has uploaded (an e-mail will do too)
  --verify           read everything that was written again and compare it with its checksums; alone, if the export is complete`,

  async run(call) {
    const text = { type: 'string' } as const
    const flags = { album: text, folder: text, since: text, person: text, verify: { type: 'boolean' } } as const
    const { values, words } = readArguments(call.args, flags, 1)
    const [wanted] = words
    if (!wanted) throw new UsageError('Where should the photos go?')
    const folder = resolve(call.cwd, wanted)
    const { verify = false, ...filter } = values
    if (verify && Object.keys(filter).length === 0 && (await isCompleteExport(folder))) return verifyAgain(call, folder)
    const { files, bytes, problems } = await exportLibrary(call, folder, filter)
    call.out.write(`Exported ${inCount(files, 'file')} (${inBytes(bytes)}).\n`)
    if (problems.length > 0) {
      call.out.write(
        `${inCount(problems.length, 'file')} in the library ${problems.length === 1 ? 'is' : 'are'} not whole:\n`,
      )
      call.out.write(inList(problems.map(({ path, problem }) => `${problem}: ${path}`)))
      call.out.write('What could be read of damaged ones is in the folder “damaged”. A backup may have them whole.\n')
    }
    const verified = verify ? await verifyAgain(call, folder) : 0
    return problems.length > 0 ? 1 : verified
  },
}

async function verifyAgain(call: Call, folder: string): Promise<number> {
  const problems = await verifyExport(rootFolder(folder), call)
  call.out.write(
    problems.length === 0
      ? 'Every file of the export is as it was written.\n'
      : `${inCount(problems.length, 'file')} of the export ${problems.length === 1 ? 'is' : 'are'} not as written:\n${inList(problems)}`,
  )
  return problems.length === 0 ? 0 : 1
}
