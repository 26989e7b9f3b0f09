export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The quantile of the values: 0.95 for the p95. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** One line of a report: what was measured, its value, and the goal. */
export function line(what: string, measured: string, goal: string, met: boolean): void {
  console.log(`${met ? '✓' : '✗'} ${what}: ${measured} (goal: ${goal})`)
}

/** Runs both alternately, so that other load on the machine affects both. */
export async function alternately<A, B>(
  rounds: number,
  ours: () => Promise<A>,
  limit: () => Promise<B>,
): Promise<{ ours: A[]; limit: B[] }> {
  const result: { ours: A[]; limit: B[] } = { ours: [], limit: [] }
  for (let round = 0; round < rounds; round++) {
    result.limit.push(await limit())
    result.ours.push(await ours())
  }
  return result
}
