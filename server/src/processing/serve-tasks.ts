import { Worker } from 'node:worker_threads'
import { ProcessingError, type ProcessingFailure } from './errors.ts'

/** The tasks of a worker process. Inputs and outputs are plain data. */
export type TaskTable = Record<string, (input: never) => unknown>

export interface TaskRequest {
  readonly task: string
  readonly input: unknown
}

export type TaskReply =
  | { readonly output: unknown }
  | {
      readonly failure: ProcessingFailure
      /** For the person who looks at the file. */
      readonly sentence: string
      /** What a decoder said, for the log. */
      readonly detail?: string | undefined
    }

/** Main loop of a worker process: one task at a time, until the server disconnects or dies. */
export function serveTasks(tasks: TaskTable): void {
  process.on('message', (order: TaskRequest) => {
    void runTask(tasks, order).then(reply => process.send?.(reply))
  })
  // Ctrl-C is sent to all processes of a terminal, but the server decides when work ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  exitWithParent()
}

async function runTask(tasks: TaskTable, order: TaskRequest): Promise<TaskReply> {
  try {
    const task = tasks[order.task]
    if (!task) throw new Error(`There is no task ${order.task}`)
    return { output: await task(order.input as never) }
  } catch (error) {
    if (error instanceof ProcessingError) {
      const detail = error.cause === undefined ? undefined : messageOf(error.cause)
      return { failure: error.failure, sentence: error.message, detail }
    }
    return { failure: 'crashed', sentence: 'The file could not be processed.', detail: messageOf(error) }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** From a thread, since a decoder in an endless loop would not notice that the server is gone. */
function exitWithParent(): void {
  const watch = `
    const { workerData } = require('node:worker_threads')
    setInterval(() => { if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL') }, 1000)
  `
  new Worker(watch, { eval: true, workerData: process.ppid, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()
}
