import { readdir, readFile } from 'node:fs/promises'

/**
 * Megabytes that a process and its children would take on a machine of their own: what each has for itself, and pages of
 * files (programs, libraries) once. The proportional set size would depend on what else runs here.
 */
export async function treeMemoryMb(pid: number): Promise<number> {
  const files = new Map<string, number>()
  let own = 0
  for (const process of await processTree(pid)) {
    const { anonymous, mapped } = await readMappings(process)
    own += anonymous
    for (const [file, kb] of mapped) files.set(file, Math.max(files.get(file) ?? 0, kb))
  }
  return ([...files.values()].reduce((sum, kb) => sum + kb, 0) + own) / 1024
}

/** Megabytes that a process has for itself. */
export async function ownMemoryMb(pid: number): Promise<number> {
  return (await readMappings(pid)).anonymous / 1024
}

export async function processTree(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    tasks.map(task => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.flatMap(list => list.split(' ').filter(Boolean).map(Number))
  const below = await Promise.all(children.map(processTree))
  return [pid, ...below.flat()]
}

/** In KB. */
async function readMappings(pid: number): Promise<{ anonymous: number; mapped: Map<string, number> }> {
  const mapped = new Map<string, number>()
  let anonymous = 0
  let file = ''
  let resident = 0
  for (const row of (await readFile(`/proc/${pid}/smaps`, 'utf8').catch(() => '')).split('\n')) {
    const [, path] = /^[\da-f]+-[\da-f]+ \S+ \S+ \S+ \S+\s*(.*)$/.exec(row) ?? []
    if (path !== undefined) file = path
    const [, name, kb] = /^(Rss|Anonymous):\s+(\d+)/.exec(row) ?? []
    if (name === 'Rss') resident = Number(kb)
    if (name !== 'Anonymous') continue
    anonymous += Number(kb)
    if (file.startsWith('/')) mapped.set(file, (mapped.get(file) ?? 0) + resident - Number(kb))
  }
  return { anonymous, mapped }
}
