/** Maximum page height. Firefox supports 17.8 million pixels, Chromium 33.5. */
export const MAX_PAGE_HEIGHT = 10_000_000

/** Scrolling by more screens at once is a jump with the scrollbar. */
const JUMP_SCREENS = 3

/**
 * Maps scroll positions of the page to positions in a list that may be taller than browsers allow. A list position is
 * the page position plus `shift`. Small movements keep the shift, so that the wheel scrolls by its usual distance;
 * jumps recompute it, so that the middle of the scrollbar is the middle of the list.
 */
export class ScrollSpace {
  #length = 0
  #screen = 0
  #shift = 0
  #at = 0

  get height(): number {
    return Math.min(this.#length, MAX_PAGE_HEIGHT)
  }

  get shift(): number {
    return this.#shift
  }

  /** Position of the list at the top of the screen. */
  get position(): number {
    return this.#at + this.#shift
  }

  /** Updates the heights of the list and the screen. */
  resize(length: number, screen: number): void {
    this.#length = length
    this.#screen = screen
    if (!this.#isFolded) this.#shift = 0
  }

  /** The page was scrolled to `at`. Returns true if an end of the page is near that is not an end of the list. */
  scrolledTo(at: number): boolean {
    const jumped = Math.abs(at - this.#at) > JUMP_SCREENS * this.#screen
    this.#at = at
    if (!this.#isFolded) return false
    if (jumped || at <= 0) this.#shift = this.#unfolded(at) - at
    return this.#isStranded
  }

  /** The page position that shows `position` at the top of the screen. */
  goTo(position: number): number {
    this.#at = this.#isFolded ? this.#folded(position) : position
    this.#shift = position - this.#at
    return this.#at
  }

  get #isFolded(): boolean {
    return this.#length > MAX_PAGE_HEIGHT
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
