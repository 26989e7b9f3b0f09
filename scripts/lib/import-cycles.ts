export interface FileImport {
  /** Both are relative to the root of the project. */
  file: string
  target: string
  line: number
}

export interface ImportCycle {
  /** Location of the import that closes the cycle. */
  file: string
  line: number
  /** The files of the cycle, starting and ending with the same one. */
  path: string[]
}

/** Finds at least one cycle for each import that is part of any; empty if the imports form a DAG. */
export function findImportCycles(imports: readonly FileImport[]): ImportCycle[] {
  const importsOf = Map.groupBy(imports, ({ file }) => file)
  const cycles: ImportCycle[] = []
  const finished = new Set<string>()
  const path: string[] = []

  function visit(file: string): void {
    path.push(file)
    for (const { target, line } of importsOf.get(file) ?? []) {
      const start = path.indexOf(target)
      if (start !== -1) cycles.push({ file, line, path: [...path.slice(start), target] })
      else if (!finished.has(target)) visit(target)
    }
    path.pop()
    finished.add(file)
  }

  for (const file of importsOf.keys()) if (!finished.has(file)) visit(file)
  return cycles
}
