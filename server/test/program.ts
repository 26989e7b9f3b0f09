import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface Program {
  /** The next line of its output; undefined once it has ended. */
  line(): Promise<string | undefined>
  /** Kills it (SIGKILL), like a power failure, and returns the remaining lines of its output. */
  kill(): Promise<string[]>
}

/** Starts one of `programs/` in a separate process. */
export function startProgram(name: string, ...args: string[]): Program {
  const path = fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--max-old-space-size=512', '--expose-gc', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    line: async () => (await lines.next()).value,
    async kill() {
      child.kill('SIGKILL')
      await ended
      const rest: string[] = []
      for (let next = await lines.next(); !next.done; next = await lines.next()) rest.push(next.value)
      return rest
    },
  }
}
