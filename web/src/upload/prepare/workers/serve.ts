import type { Answer, Task } from './protocol.ts'

/** Work that advances by less than a percent is still reported this often, so that the pool does not take it for stalled. */
const REPORT_MILLISECONDS = 1_000

/** Makes this worker do a task, again and again. */
export function serve<Input, Output>(task: Task<Input, Output>): void {
  const answer = (message: Answer<Output>) => postMessage(message)
  addEventListener('message', async ({ data }: MessageEvent<Input>) => {
    let reached = Number.NEGATIVE_INFINITY
    let sent = -1
    let sentAt = 0
    const report = (percent: number) => {
      if (percent <= reached) return
      reached = percent
      const whole = Math.min(100, Math.max(0, Math.floor(percent)))
      const now = performance.now()
      if (whole === sent && now - sentAt < REPORT_MILLISECONDS) return
      sent = whole
      sentAt = now
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
