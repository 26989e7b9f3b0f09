import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'

/**
 * Runs once in the sandbox when the server starts: reads input and writes output like a decoder, then tries forbidden
 * accesses. Prints one word for the server.
 */
const [inbox, outbox, hidden = '', port] = process.argv.slice(2)

writeFileSync(`${outbox}/output`, readFileSync(`${inbox}/input`))

const reached = await new Promise<boolean>(resolve => {
  connect(Number(port), '127.0.0.1')
    .once('connect', () => resolve(true))
    .once('error', () => resolve(false))
})
let seen = true
try {
  seen = existsSync(hidden)
} catch {
  seen = false
}
process.stdout.write(seen ? 'files' : reached ? 'network' : 'confined')
process.exit()
