export interface FileImport {
  /** Both from the root of the project. */
  file: string
  target: string
  line: number
}

export interface ImportCycle {
  /** The import that closes the cycle. */
  file: string
  line: number
  /** From the first file back to it. */
  path: string[]
}

/** At least one of the cycles that each import is part of; none where files depend on each other in one direction alone. */
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
