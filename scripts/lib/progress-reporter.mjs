const MINUTE = 60_000

/**
 * Prints the progress of a run once a minute, to distinguish a slow run from one that hangs, even in a log file.
 * A reporter for Vitest (which counts files) and for Playwright (which counts tests).
 */
export default class ProgressReporter {
  #what = 'test files'
  #total = 0
  #done = 0
  /** @type {Set<string>} */
  #running = new Set()
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /** Vitest. @param {readonly unknown[]} files */
  onTestRunStart(files) {
    this.#start('test files', files.length)
  }

  /** @param {{ relativeModuleId: string }} file */
  onTestModuleStart({ relativeModuleId }) {
    this.#running.add(relativeModuleId)
  }

  /** @param {{ relativeModuleId: string }} file */
  onTestModuleEnd({ relativeModuleId }) {
    this.#end(relativeModuleId)
  }

  onTestRunEnd() {
    clearInterval(this.#timer)
  }

  /** Playwright. @param {unknown} _config @param {{ allTests(): unknown[] }} suite */
  onBegin(_config, suite) {
    this.#start('end-to-end tests', suite.allTests().length)
  }

  /** @param {{ title: string }} test */
  onTestBegin({ title }) {
    this.#running.add(title)
  }

  /** @param {{ title: string }} test */
  onTestEnd({ title }) {
    this.#end(title)
  }

  onEnd() {
    clearInterval(this.#timer)
  }

  /** @param {string} what @param {number} total */
  #start(what, total) {
    const started = Date.now()
    this.#what = what
    this.#total = total
    this.#timer = setInterval(() => {
      const minutes = Math.round((Date.now() - started) / MINUTE)
      const running = this.#running.size > 0 ? `; running: ${[...this.#running].join(', ')}` : ''
      console.log(`── ${minutes} min: ${this.#done} of ${this.#total} ${this.#what}${running}`)
    }, MINUTE)
    // The timer must not keep a finished run alive.
    this.#timer.unref()
  }

  /** @param {string} name */
  #end(name) {
    this.#running.delete(name)
    this.#done += 1
  }
}
