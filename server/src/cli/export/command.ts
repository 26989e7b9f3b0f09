import { resolve } from 'node:path'
import { type Command, readArguments, UsageError } from '../command.ts'
import { inBytes, inCount, inList } from '../progress.ts'
import { exportLibrary } from './export.ts'

export const exportCommand: Command = {
  usage: `npm run export -- FOLDER

Copies all photos and videos, except deleted ones, to the empty FOLDER, by year and month, also while Heirloom is running. Beside
each is what the family knows of it, for other programs: date, place, tags, notes and hearts (.xmp and .JSON), and
albums.json has the albums with their comments. Chats and accounts stay behind: for those make a backup. Ctrl-C stops it;
run it again and it goes on.`,

  async run(call) {
    const { words } = readArguments(call.args, {}, 1)
    const [folder] = words
    if (!folder) throw new UsageError('Where should the photos go?')
    const { files, bytes, problems } = await exportLibrary(call, resolve(call.cwd, folder))
    call.out.write(`Exported ${inCount(files, 'file')} (${inBytes(bytes)}).\n`)
    if (problems.length === 0) return 0
    call.out.write(
      `${inCount(problems.length, 'file')} in the library ${problems.length === 1 ? 'is' : 'are'} not whole:\n`,
    )
    call.out.write(inList(problems.map(({ path, problem }) => `${problem}: ${path}`)))
    call.out.write('What could be read of damaged ones is in the folder “damaged”. A backup may have them whole.\n')
    return 1
  },
}
