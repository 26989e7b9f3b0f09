import { expect, test } from 'vitest'
import { terminalOn } from './command.ts'
import { showProgress } from './progress.ts'

function shown(terminal: { isTTY: boolean; columns?: number }) {
  const output: string[] = []
  let time = 0
  const out = terminalOn({ ...terminal, write: text => output.push(text) })
  const progress = showProgress(out, 'Importing', { files: 100, bytes: 100 * 1024 * 1024 }, () => time)
  return {
    output,
    progress,
    wait(seconds: number) {
      time += seconds * 1000
    },
  }
}

test('on a terminal one line is drawn over and over, with speed and the time left', () => {
  const { output, progress, wait } = shown({ isTTY: true, columns: 200 })
  for (let i = 0; i < 50; i++) {
    wait(1)
    progress.add(1, 1024 * 1024)
  }
  expect(output).toHaveLength(50)
  expect(output.at(-1)).toMatch(
    /^\r.*Importing {2}█{12}░{12} 50 % {2}50 of 100 files · 50\.0 MB of 100 MB · 1\.0 MB\/s · 50 s left$/,
  )
  progress.end()
  expect(output.at(-1)).toBe('\n')
})

test('a line never becomes wider than the terminal', () => {
  const { output, progress, wait } = shown({ isTTY: true, columns: 40 })
  wait(1)
  progress.add(1, 1024 * 1024)
  expect(output[0]?.replace('\r\x1b[2K', '').length).toBeLessThan(40)
})

test('in a log a plain line is written now and then', () => {
  const { output, progress, wait } = shown({ isTTY: false })
  for (let i = 0; i < 60; i++) {
    wait(1)
    progress.add(1, 1024 * 1024)
  }
  progress.end()
  expect(output).toHaveLength(5)
  expect(output[0]).toBe('Importing: 15 of 100 files · 15.0 MB of 100 MB · 1.0 MB/s · 1 min 25 s left\n')
})
