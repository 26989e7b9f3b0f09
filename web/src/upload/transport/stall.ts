/** A connection that breaks without a word (a closed lid, a tunnel) is given up after this long without a byte. */
const STALLS_AFTER = 45_000
/** What the server may take to look at what arrived in full. */
const ANSWERS_WITHIN = 10 * 60_000

export interface StallWatch {
  /** Bytes went out. */
  moved(): void
  /** All bytes are out; what is left is the answer. */
  sent(): void
  end(): void
}

export function watchForStall(giveUp: () => void): StallWatch {
  let timer = setTimeout(giveUp, STALLS_AFTER)
  const again = (milliseconds: number) => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, milliseconds)
  }
  return {
    moved: () => again(STALLS_AFTER),
    sent: () => again(ANSWERS_WITHIN),
    end: () => clearTimeout(timer),
  }
}
