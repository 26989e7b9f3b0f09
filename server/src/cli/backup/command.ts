import { resolve } from 'node:path'
import { type Call, type Command, readArguments, UsageError } from '../command.ts'
import { inBytes, inCount, inList, inNumber } from '../progress.ts'
import { type BackupReport, backUp } from './backup.ts'

export const backupCommand: Command = {
  usage: `npm run backup -- FOLDER [--with-variants] [--without-watched] [--verify]

Copies database and originals to FOLDER, also while Heirloom is running. Run it again and only what is new is copied.
  --with-variants  also the pictures and videos that Heirloom made of the originals (a restore makes them again otherwise)
  --without-watched  not the originals of watched folders (LIBRARY_DIRS), which then need a backup of their own
  --verify         also read every original that FOLDER already holds, and compare its hash`,

  async run(call) {
    const flags = {
      'with-variants': { type: 'boolean' },
      'without-watched': { type: 'boolean' },
      verify: { type: 'boolean' },
    } as const
    const { values, words } = readArguments(call.args, flags, 1)
    const [folder] = words
    if (!folder) throw new UsageError('Where should the backup go?')
    const report = await backUp(call, {
      folder: resolve(call.cwd, folder),
      withVariants: values['with-variants'] ?? false,
      withWatched: !values['without-watched'],
      verify: values.verify ?? false,
    })
    printReport(call, report)
    return report.problems.length === 0 ? 0 : 1
  },
}

function printReport({ out }: Call, report: BackupReport): void {
  const { problems } = report
  out.write(
    `Backed up ${inCount(report.files, 'file')} (${inBytes(report.bytes)}), ${inNumber(report.copied)} of them new (${inBytes(report.copiedBytes)}). Snapshot ${report.snapshot}.\n`,
  )
  if (report.watched > 0) {
    out.write(
      report.withWatched
        ? `They include ${inCount(report.watched, 'original')} of watched folders. A restore puts them into the library's own storage.\n`
        : `Without ${inCount(report.watched, 'original')} of watched folders: back up those folders, too.\n`,
    )
  }
  if (problems.length === 0) return
  out.write(`${inCount(problems.length, 'file')} in the library ${problems.length === 1 ? 'is' : 'are'} not whole:\n`)
  out.write(inList(problems.map(({ name, key, problem }) => `${problem}: ${name ?? key} (files/${key})`)))
  out.write('Upload the originals again if you have them, or copy them back from an older backup.\n')
}
