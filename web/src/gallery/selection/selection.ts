/** Which files are chosen, and from which one the next range begins. */
export interface Selection {
  ids: ReadonlySet<number>
  anchor: Anchor | null
}

export interface Anchor {
  id: number
  /** Where it stood in the list when it was chosen. */
  index: number
}

export const nothing: Selection = { ids: new Set(), anchor: null }

export function toggled(selection: Selection, file: Anchor): Selection {
  return withAll(selection, [file.id], !selection.ids.has(file.id), file)
}

/** Chooses or leaves out many at once; the next range begins at `anchor`. */
export function withAll(
  selection: Selection,
  ids: readonly number[],
  chosen: boolean,
  anchor: Anchor | null = selection.anchor,
): Selection {
  const next = new Set(selection.ids)
  for (const id of ids) {
    if (chosen) next.add(id)
    else next.delete(id)
  }
  return next.size === 0 ? nothing : { ids: next, anchor }
}

/** The files between two places of the list, where all of them are known. */
export function idsBetween(
  a: number,
  b: number,
  fileAt: (index: number) => { id: number } | undefined,
): number[] | undefined {
  const ids: number[] = []
  for (let index = Math.min(a, b); index <= Math.max(a, b); index++) {
    const file = fileAt(index)
    if (file === undefined) return undefined
    ids.push(file.id)
  }
  return ids
}
