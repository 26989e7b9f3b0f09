/** The time now, in epoch milliseconds. Handed in rather than read, so that tests can move it. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
