import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type Config, readConfig } from '../../config.ts'
import { type Call, type Command, CommandError, readArguments, UsageError } from '../command.ts'
import { inBytes, inCount, inList, inNumber } from '../progress.ts'
import { type MigrationReport, migrate } from './migrate.ts'

export const migrateCommand: Command = {
  usage: `npm run heirloom -- migrate --to FILE [--verify]

Moves this library to the database and the storage that the settings in FILE name: from SQLite and a folder to Postgres and
an S3 store, back again, or anywhere else. FILE is written like .env. Stop every server first. The library stays as it is;
what was moved when the command was stopped is not moved again.
  --to FILE  the settings of the new place: DATABASE_URL, S3_…, DATA_DIR
  --verify   also read every original back from the new place, and compare its hash once more`,

  async run(call) {
    const flags = { to: { type: 'string' }, verify: { type: 'boolean' } } as const
    const { values } = readArguments(call.args, flags, 0)
    if (!values.to) throw new UsageError('Where should the library go? Say --to FILE.')
    const target = readTarget(resolve(call.cwd, values.to))
    const report = await migrate(call, target, { verify: values.verify ?? false })
    printReport(call, report, values.to)
    return report.problems.length === 0 ? 0 : 1
  },
}

/** Reads only that file: the environment of this process configures the source library. */
function readTarget(file: string): Config {
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`)
  return readConfig(parseEnv(readFileSync(file, 'utf8')))
}

function printReport({ out }: Call, report: MigrationReport, file: string): void {
  const { problems } = report
  out.write(
    `Moved ${inCount(report.files, 'file')} (${inBytes(report.bytes)}; ${inNumber(report.copied)} in this run) and ${inCount(report.rows, 'row')}, all compared.\n`,
  )
  if (problems.length > 0) {
    out.write(`${inCount(problems.length, 'original')} could not be moved whole:\n`)
    out.write(inList(problems.map(({ name, key, problem }) => `${problem}: ${name ?? key} (${key})`)))
  }
  out.write(`The old library is as it was. Put the settings of ${file} into .env and start Heirloom.\n`)
}
