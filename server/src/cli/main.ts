import { CallFailed } from '#client/client.ts'
import { readConfig, readEnvironment, readRemoteSettings } from '../config.ts'
import { limitNewFiles } from '../file-access.ts'
import { systemClock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { printable } from '../kit/log.ts'
import { isOperatorError } from '../operator-errors.ts'
import { type Command, CommandError, isFullDisk, terminalOn, UsageError } from './command.ts'
import type { RemoteCommand } from './remote/remote.ts'

/** Loaded on demand: a backup does not need the code of the seed. */
const commands: Record<string, () => Promise<Command | RemoteCommand>> = {
  seed: async () => (await import('../../seed/command.ts')).seedCommand,
  import: async () => (await import('./import/command.ts')).importCommand,
  export: async () => (await import('./export/command.ts')).exportCommand,
  backup: async () => (await import('./backup/command.ts')).backupCommand,
  migrate: async () => (await import('./migrate/command.ts')).migrateCommand,
  restore: async () => (await import('./restore/command.ts')).restoreCommand,
  upload: async () => (await import('./remote/upload.ts')).uploadCommand,
  search: async () => (await import('./remote/search.ts')).searchCommand,
  download: async () => (await import('./remote/download.ts')).downloadCommand,
}

/** Started by scripts/cli.mjs with the command, the working directory and the arguments. */
const [name = '', cwd = '.', ...args] = process.argv.slice(2)
process.exitCode = await run(name)

async function run(name: string): Promise<number> {
  const command = await commands[name]?.()
  if (!command) return refuse(`There is no command “${name}”, only ${Object.keys(commands).join(', ')}.`)
  if (args.includes('--help')) {
    process.stdout.write(`${command.usage}\n`)
    return 0
  }
  const { signal, stoppedBy } = listenForStop()
  try {
    const out = terminalOn(process.stdout)
    if ('runRemote' in command) {
      return await command.runRemote({ args, cwd, out, signal, settings: readRemoteSettings(readEnvironment()) })
    }
    const config = readConfig(readEnvironment())
    limitNewFiles(config.fileAccess)
    return await command.run({ args, cwd, config, clock: systemClock, out, signal })
  } catch (error) {
    if (signal.aborted) return refuse('\nStopped. Run the same command again to go on.', stoppedBy())
    if (error instanceof UsageError) return refuse(`${error.message}\n\n${command.usage}`)
    return refuse(sentenceFor(error))
  }
}

function refuse(sentence: string, code = 1): number {
  process.stderr.write(`${printable(sentence)}\n`)
  return code
}

/** Ctrl-C aborts the command cleanly; the launcher decides how long that may take. */
function listenForStop() {
  const stop = new AbortController()
  let code = 0
  const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
  for (const [name, exitCode] of Object.entries(exitCodes)) {
    process.on(name, () => {
      code ||= exitCode
      stop.abort()
    })
  }
  return { signal: stop.signal, stoppedBy: () => code }
}

/** A sentence for errors that the operator can fix, else the stack trace. */
function sentenceFor(error: unknown): string {
  if (error instanceof CommandError || isOperatorError(error)) return error.message
  if (isFullDisk(error)) return 'The library has no room left. Make some, and run the same command again to go on.'
  if (error instanceof AppError || error instanceof CallFailed) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
