import { createApp } from './app.ts'
import { readConfig, readEnvironment } from './config.ts'
import { limitNewFiles } from './file-access.ts'
import { printable, printableLine } from './kit/log.ts'
import { isOperatorError } from './operator-errors.ts'

try {
  if (process.argv[2] === '--fill-compile-cache') await import('./fill-compile-cache.ts')
  else await start()
} catch (error) {
  process.stderr.write(`${printable(startFailure(error))}\n`)
  process.exitCode = 1
}

async function start(): Promise<void> {
  const config = readConfig(readEnvironment())
  limitNewFiles(config.fileAccess)
  const app = await createApp(config)
  endOnSignal(app.close)
  await app.http.listen({ host: config.host, port: config.port }).catch(async error => {
    await app.close()
    throw error
  })
  process.stdout.write(
    `${printableLine(config.title)} is ready at ${config.publicUrl.origin}${config.oidc ? '' : ' (demo sign-in)'}\n`,
  )
  // From now on `npm start` restarts the server if it crashes.
  process.send?.('ready')
}

function endOnSignal(close: () => Promise<void>): void {
  let ending = false
  const end = () => {
    // Ctrl-C reaches the whole process group, so the signal can arrive twice.
    if (ending) return
    ending = true
    setTimeout(() => process.exit(1), 4_500).unref()
    close().then(
      () => process.exit(0),
      error => {
        process.stderr.write(`${printable(String(error))}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
}

/** A sentence for errors that the operator can fix, else the stack trace. */
function startFailure(error: unknown): string {
  if (isOperatorError(error)) return error.message
  const { code, port } = error as { code?: string; port?: number }
  if (code === 'EADDRINUSE') return `PORT ${port} is already in use. Stop what runs there, or set another PORT.`
  if (code === 'EACCES') return `HOST and PORT (${port}) may not be used by this account. Set a PORT above 1023.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
