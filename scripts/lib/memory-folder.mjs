import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sharedMemory = '/dev/shm'
const leastBytes = 4 * 1024 ** 3

/**
 * A folder in memory for the temporary files of a test run, and what removes it. The product waits for the disk after
 * every change, which takes longer than many tests compute; nothing that they see depends on it, since a killed process
 * loses no written file. Undefined where there is no room, or where programs may not be run from it, as in many containers.
 *
 * @returns {{ folder: string, remove: () => void } | undefined}
 */
export function openMemoryFolder() {
  try {
    const { bavail, bsize } = statfsSync(sharedMemory)
    if (bavail * bsize < leastBytes) return undefined
    removeLeftovers()
  } catch {
    // There is no such folder here.
    return undefined
  }
  const folder = mkdtempSync(join(sharedMemory, `heirloom-tests-${process.pid}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    // As usual for temporary files: Postgres runs as another user.
    chmodSync(folder, 0o1777)
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    rmSync(program)
    return { folder, remove }
  } catch {
    remove()
    return undefined
  }
}

/** Those of runs that were killed would keep their memory until the next restart of the machine. */
function removeLeftovers() {
  for (const name of readdirSync(sharedMemory)) {
    const pid = /^heirloom-tests-(\d+)-/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(sharedMemory, name), { recursive: true, force: true })
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
