/** What a `Range` header asks of `size` bytes; both ends count. Whatever we need not honour asks for the whole. */
export function requestedRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'whole' | 'unsatisfiable' {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '')
  if (!asked || (!asked[1] && !asked[2])) return 'whole'
  const last = size - 1
  if (!asked[1]) {
    const suffix = Number(asked[2])
    return suffix === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - suffix), end: last }
  }
  const start = Number(asked[1])
  if (asked[2] && Number(asked[2]) < start) return 'whole'
  if (start > last) return 'unsatisfiable'
  return { start, end: asked[2] ? Math.min(Number(asked[2]), last) : last }
}
