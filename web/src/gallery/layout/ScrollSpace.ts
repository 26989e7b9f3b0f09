/** As far as every browser scrolls, with room to spare: Firefox ends at 17.8 million pixels, Chromium at 33.5. */
export const FURTHEST = 10_000_000

/** Further than this many screens at once is a leap of the scrollbar, not a turn of the wheel. */
const LEAP = 3

/**
 * Where somebody looks in a list that may be longer than a browser can scroll. The page is `height` tall; what is
 * `shift` further down in the list stands at the same place. Small movements keep the shift, so that a turn of the wheel
 * moves by what it says; leaps set it anew, so that the middle of the scrollbar is the middle of the list.
 */
export class ScrollSpace {
  #length = 0
  #screen = 0
  #shift = 0
  #at = 0

  get height(): number {
    return Math.min(this.#length, FURTHEST)
  }

  get shift(): number {
    return this.#shift
  }

  /** What stands at the top of the screen. */
  get position(): number {
    return this.#at + this.#shift
  }

  /** The list became longer or shorter, or the screen did. */
  fit(length: number, screen: number): void {
    this.#length = length
    this.#screen = screen
    if (!this.#isFolded) this.#shift = 0
  }

  /** The page was scrolled to `at`. True where it stands too close to an end of the page that is no end of the list. */
  scrolledTo(at: number): boolean {
    const leapt = Math.abs(at - this.#at) > LEAP * this.#screen
    this.#at = at
    if (!this.#isFolded) return false
    if (leapt || at <= 0) this.#shift = this.#unfolded(at) - at
    return this.#isStranded
  }

  /** Where to scroll the page so that `position` is at the top of the screen. */
  goTo(position: number): number {
    this.#at = this.#isFolded ? this.#folded(position) : position
    this.#shift = position - this.#at
    return this.#at
  }

  get #isFolded(): boolean {
    return this.#length > FURTHEST
  }

  get #isStranded(): boolean {
    const margin = this.#screen
    const nearStart = this.#at < margin && this.position > this.#at + margin
    const nearEnd =
      this.#at > this.height - this.#screen - margin && this.position < this.#length - this.#screen - 2 * margin
    return nearStart || nearEnd
  }

  get #ratio(): number {
    return (this.#length - this.#screen) / (this.height - this.#screen)
  }

  #unfolded(at: number): number {
    return at <= 0 ? at : at * this.#ratio
  }

  #folded(position: number): number {
    return position <= 0 ? position : position / this.#ratio
  }
}
