import { resolve } from 'node:path'
import { type Call, type Command, readArguments, UsageError } from '../command.ts'
import { inBytes, inCount, inList } from '../progress.ts'
import { type RestoreReport, restore } from './restore.ts'

export const restoreCommand: Command = {
  usage: `npm run restore -- FOLDER [--snapshot NAME]

Brings a library back from the backup in FOLDER, on a machine where DATA_DIR and DATABASE_URL are empty.
  --snapshot NAME  an older state of the database, by its name in FOLDER/snapshots; otherwise the newest`,

  async run(call) {
    const { values, words } = readArguments(call.args, { snapshot: { type: 'string' } } as const, 1)
    const [folder] = words
    if (!folder) throw new UsageError('Where is the backup?')
    const report = await restore(call, { folder: resolve(call.cwd, folder), snapshot: values.snapshot })
    printReport(call, report)
    return report.problems.length === 0 ? 0 : 1
  },
}

function printReport({ out }: Call, report: RestoreReport): void {
  const { problems } = report
  out.write(
    `The library is back as it was at ${report.takenAt}: ${inCount(report.files, 'file')} (${inBytes(report.bytes)}), every original compared with its hash.\n`,
  )
  if (report.toPrepare > 0) {
    out.write(
      `Heirloom makes the pictures of ${inCount(report.toPrepare, 'file')} again when it next starts (npm start).\n`,
    )
  }
  if (problems.length === 0) return
  out.write(`${inCount(problems.length, 'file')} could not be brought back whole; admins find them under “Damaged”:\n`)
  out.write(inList(problems.map(({ name, key, problem }) => `${problem}: ${name ?? key} (files/${key})`)))
}
