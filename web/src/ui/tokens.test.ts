import { describe, expect, test } from 'vitest'
import css from './tokens.css?raw'

type Theme = 'light' | 'dark'

describe.each(['light', 'dark'] as const)('in the %s theme', theme => {
  test.each([
    ['ink', 'paper'],
    ['ink', 'raised'],
    ['ink', 'sunken'],
    ['ink-soft', 'paper'],
    ['ink-soft', 'raised'],
    ['ink-soft', 'sunken'],
    ['accent', 'paper'],
    ['accent', 'raised'],
    ['accent-ink', 'accent'],
    ['accent-ink', 'accent-strong'],
    ['accent-strong', 'accent-wash'],
    ['danger', 'raised'],
    ['danger', 'danger-wash'],
    ['danger-ink', 'danger'],
    ['danger-ink', 'danger-strong'],
    ['ok', 'raised'],
    ['warn', 'raised'],
    ['warn', 'warn-wash'],
  ])('%s can be read on %s', (text, ground) => {
    expect(contrast(colour(text, theme), colour(ground, theme))).toBeGreaterThanOrEqual(4.5)
  })

  test.each([
    ['edge', 'paper'],
    ['edge', 'raised'],
    ['accent', 'sunken'],
  ])('a control or focus ring in %s is distinct from %s', (mark, ground) => {
    expect(contrast(colour(mark, theme), colour(ground, theme))).toBeGreaterThanOrEqual(3)
  })
})

type Oklch = [lightness: number, chroma: number, hue: number]

function colour(name: string, theme: Theme): Oklch {
  const number = '([\\d.]+)'
  const oklch = `oklch\\(${number} ${number} ${number}\\)`
  const found = css.match(new RegExp(`--${name}: light-dark\\(${oklch}, ${oklch}\\);`))
  if (found === null) throw new Error(`tokens.css has no --${name}`)
  const [l = 0, c = 0, h = 0] = found.slice(theme === 'light' ? 1 : 4).map(Number)
  return [l, c, h]
}

/** As WCAG 2 defines it. */
function contrast(one: Oklch, other: Oklch): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Oklab to linear sRGB (Ottosson), then to luminance. */
function luminance([lightness, chroma, hue]: Oklch): number {
  const angle = (hue * Math.PI) / 180
  const a = chroma * Math.cos(angle)
  const b = chroma * Math.sin(angle)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = inGamut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = inGamut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = inGamut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function inGamut(channel: number): number {
  return Math.min(1, Math.max(0, channel))
}
