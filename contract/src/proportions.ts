/**
 * The proportion of a picture as one character, so that a list of a million files can be laid out from a short text.
 * Printable ASCII without the two characters that JSON escapes. The levels are log-spaced: ten make the factor 4 : 3, so
 * that 1 : 1, 4 : 3 and 16 : 9 are exact, 3 : 2 is within 0.3 %, and no proportion is off by more than 1.5 %.
 */
const LEVELS = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).filter(
  character => character !== '"' && character !== '\\',
)
const SQUARE_LEVEL = (LEVELS.length - 1) / 2
const STEP = Math.log(4 / 3) / 10

/** Also used while the size is unknown. */
export const squareProportion = LEVELS[SQUARE_LEVEL] ?? ''

/** Proportions beyond about 3.76 : 1 have the outermost level. */
export function proportionOf(width: number | null | undefined, height: number | null | undefined): string {
  if (!width || !height) return squareProportion
  const level = Math.round(Math.log(width / height) / STEP) + SQUARE_LEVEL
  return LEVELS[Math.min(Math.max(level, 0), LEVELS.length - 1)] ?? squareProportion
}

const ratios = new Map(LEVELS.map((character, i) => [character, Math.exp((i - SQUARE_LEVEL) * STEP)]))

/** Width divided by height. */
export function ratioOf(proportion: string): number {
  return ratios.get(proportion) ?? 1
}
