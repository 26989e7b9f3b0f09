import type { Answer, Task } from './protocol.ts'

/** Makes this worker do a task, again and again. */
export function serve<Input, Output>(task: Task<Input, Output>): void {
  const answer = (message: Answer<Output>) => postMessage(message)
  addEventListener('message', async ({ data }: MessageEvent<Input>) => {
    let told = -1
    const report = (percent: number) => {
      const whole = Math.min(100, Math.floor(percent))
      if (whole <= told) return
      told = whole
      answer({ says: 'progress', percent: whole })
    }
    try {
      answer({ says: 'done', output: await task(data, report) })
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      answer({ says: 'failed', failure: { name, message } })
    }
  })
}
