import { ProcessingError } from '../errors.ts'
import type { TaskRequest } from '../serve-tasks.ts'
import type { Exchange } from './exchange.ts'

/** The only fields by which a task of ours names files: what it reads, and the folder that it writes to. */
interface TaskFiles {
  readonly path?: string
  readonly outDir?: string
}

/**
 * Carries out an order of a process in the sandbox with files that it can reach, then puts what it wrote where the order
 * wants it. `end` ends the process: for one that wrote what no decoder writes.
 */
export async function runWithExchange(
  exchange: Exchange,
  order: TaskRequest,
  carryOut: (order: TaskRequest) => Promise<unknown>,
  end: () => Promise<void>,
): Promise<unknown> {
  const { path, outDir } = filesOf(order)
  const carryOutInside = async (lent?: string) => {
    const inside = { ...(lent && { path: lent }), ...(outDir && { outDir: exchange.outbox }) }
    const input = path || outDir ? { ...(order.input as object), ...inside } : order.input
    const output = await carryOut({ ...order, input })
    if (outDir) await exchange.copyAllOut(outDir)
    return output
  }
  try {
    const output = await (path ? exchange.withInput(path, carryOutInside) : carryOutInside())
    await exchange.clear()
    return output
  } catch (error) {
    // A decoder that gave up leaves plain files at most.
    const failed = await exchange.clear().catch((bad: unknown) => bad)
    if (error instanceof ProcessingError && failed === undefined) throw error
    await end()
    throw error instanceof ProcessingError ? error : notExchanged(error)
  }
}

function filesOf({ input }: TaskRequest): TaskFiles {
  return typeof input === 'object' && input !== null ? input : {}
}

function notExchanged(cause: unknown): ProcessingError {
  if ((cause as NodeJS.ErrnoException).code === 'ENOSPC') {
    return new ProcessingError('no_space', 'The file could not be processed: the disk is full.', { cause })
  }
  return new ProcessingError('crashed', 'The file could not be passed to its decoder and back.', { cause })
}
