/** The current time in epoch milliseconds. Injected, so that tests can change it. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
