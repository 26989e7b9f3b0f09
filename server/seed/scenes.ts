import type { Random } from './random.ts'
import type { Scene } from './story.ts'

/** The canvas of a picture: everything that its shapes need. */
export interface Canvas {
  width: number
  height: number
  random: Random
  light: Light
}

interface Light {
  sky: readonly [top: string, middle: string, horizon: string]
  sun: string
  /** The colours of distant and of near shapes. */
  far: string
  near: string
}

const lights: readonly Light[] = [
  { sky: ['#3f7fc4', '#8dbde6', '#dcebf5'], sun: '#fffbe6', far: '#9db8cf', near: '#2f4f3f' },
  { sky: ['#27476e', '#d98e73', '#fbd9a0'], sun: '#fff0c2', far: '#a8798a', near: '#2a2336' },
  { sky: ['#6b86a8', '#b9c6d3', '#e6e6e1'], sun: '#ffffff', far: '#aeb9c2', near: '#46524d' },
  { sky: ['#101b33', '#2a3f66', '#6d7ba3'], sun: '#f4f1de', far: '#3a4a73', near: '#0b1220' },
  { sky: ['#f2a65a', '#f7c98b', '#fdeccb'], sun: '#fff7df', far: '#c9956b', near: '#4b3423' },
  { sky: ['#5aa9c9', '#a9dbe4', '#f3f7ea'], sun: '#fffce8', far: '#86b7b0', near: '#1f5a4c' },
]

export function lightFor(random: Random): Light {
  return random.pick(lights)
}

/** The shapes of a scene as SVG, without the root element. */
export const paintScene: Record<Scene, (canvas: Canvas) => string> = {
  sea: canvas => sky(canvas, 0.58) + clouds(canvas) + water(canvas, 0.58) + boat(canvas, 0.58),
  mountains: canvas => sky(canvas, 0.75) + clouds(canvas) + ridges(canvas, 5, 0.3, 0.22),
  city: canvas => sky(canvas, 0.8) + houses(canvas),
  meadow: canvas => sky(canvas, 0.55) + clouds(canvas) + ridges(canvas, 3, 0.55, 0.06) + flowers(canvas),
  lights: canvas => lamps(canvas),
}

function sky({ width, height, random, light }: Canvas, horizon: number): string {
  const [x, y] = [random.between(0.15, 0.85) * width, random.between(0.12, horizon - 0.1) * height]
  const size = random.between(0.03, 0.06) * width
  return `
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="${light.sky[0]}"/><stop offset="${horizon * 0.7}" stop-color="${light.sky[1]}"/>
      <stop offset="${horizon}" stop-color="${light.sky[2]}"/>
    </linearGradient>
    <radialGradient id="glow"><stop offset="0" stop-color="${light.sun}" stop-opacity=".85"/>
      <stop offset=".35" stop-color="${light.sun}" stop-opacity=".25"/><stop offset="1" stop-color="${light.sun}" stop-opacity="0"/></radialGradient>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    <circle cx="${x}" cy="${y}" r="${size * 6}" fill="url(#glow)"/>
    <circle cx="${x}" cy="${y}" r="${size}" fill="${light.sun}"/>`
}

function clouds({ width, height, random }: Canvas): string {
  const puffs = Array.from({ length: random.whole(2, 5) }, () => {
    const [x, y] = [random.between(0, 1) * width, random.between(0.08, 0.35) * height]
    return Array.from({ length: random.whole(4, 8) }, () => {
      const [dx, dy] = [random.between(-0.1, 0.1) * width, random.between(-0.02, 0.02) * height]
      const [rx, ry] = [random.between(0.03, 0.09) * width, random.between(0.012, 0.03) * height]
      return `<ellipse cx="${x + dx}" cy="${y + dy}" rx="${rx}" ry="${ry}"/>`
    }).join('')
  })
  return `<filter id="soft"><feGaussianBlur stdDeviation="${width / 90}"/></filter>
    <g fill="#fff" opacity="${random.between(0.25, 0.6)}" filter="url(#soft)">${puffs.join('')}</g>`
}

/** From far to near, each darker and lower than the one behind it. */
function ridges(canvas: Canvas, count: number, top: number, rough: number): string {
  const { width, height, random, light } = canvas
  return Array.from({ length: count }, (_, i) => {
    const depth = (i + 1) / count
    const line = ridgeLine(random, rough * (1.2 - depth * 0.6)).map((rise, step, all) => {
      const y = (top + (0.95 - top) * depth * depth - rise) * height
      return `${(step / (all.length - 1)) * width},${y}`
    })
    return `<polygon points="0,${height} ${line.join(' ')} ${width},${height}" fill="${mix(light.far, light.near, depth)}"/>`
  }).join('')
}

/** Midpoint displacement: each subdivision is half as rough. */
function ridgeLine(random: Random, rough: number): number[] {
  let line = [random.between(0, rough), random.between(0, rough)]
  for (let size = rough; line.length < 129; size *= 0.55) {
    line = line.flatMap((height, i) => {
      const next = line[i + 1]
      return next === undefined ? [height] : [height, (height + next) / 2 + random.between(-size, size)]
    })
  }
  return line
}

function water({ width, height, random, light }: Canvas, horizon: number): string {
  const glints = Array.from({ length: 90 }, () => {
    const depth = random.next()
    const y = (horizon + (1 - horizon) * depth * depth) * height
    const length = (0.01 + depth * 0.08) * width
    const x = random.between(-0.05, 1) * width
    return `<rect x="${x}" y="${y}" width="${length}" height="${1 + depth * 3}" rx="2" opacity="${random.between(0.08, 0.45)}"/>`
  })
  return `
    <linearGradient id="sea" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${light.sky[2]}"/>
      <stop offset=".25" stop-color="${light.sky[1]}"/><stop offset="1" stop-color="${mix(light.sky[0], '#04222f', 0.45)}"/></linearGradient>
    <rect y="${horizon * height}" width="${width}" height="${(1 - horizon) * height}" fill="url(#sea)"/>
    <g fill="${light.sun}">${glints.join('')}</g>`
}

function boat({ width, height, random, light }: Canvas, horizon: number): string {
  if (random.chance(0.3)) return ''
  const size = random.between(0.04, 0.12) * width
  const [x, y] = [random.between(0.15, 0.85) * width, (horizon + random.between(0.01, 0.12)) * height]
  return `<g transform="translate(${x} ${y})"><polygon points="0,${-size} 0,${-size * 0.12} ${size * 0.5},${-size * 0.12}" fill="#f7f3ea"/>
    <polygon points="${-size * 0.05},${-size * 0.8} ${-size * 0.05},${-size * 0.12} ${-size * 0.35},${-size * 0.12}" fill="#e9e0cf"/>
    <polygon points="${-size * 0.45},${-size * 0.08} ${size * 0.55},${-size * 0.08} ${size * 0.4},${size * 0.06} ${-size * 0.35},${size * 0.06}" fill="${light.near}"/></g>`
}

function houses({ width, height, random, light }: Canvas): string {
  let picture = ''
  for (const depth of [0.35, 0.65, 1]) {
    for (let x = -0.02 * width; x < width; ) {
      const w = random.between(0.05, 0.11) * width * (0.6 + depth * 0.6)
      const top = (0.82 - random.between(0.1, 0.45) * (1.25 - depth * 0.5)) * height
      picture += `<rect x="${x}" y="${top}" width="${w + 1}" height="${height - top}" fill="${mix(light.far, light.near, depth)}"/>`
      if (depth > 0.5) picture += windows(random, x, top, w, height)
      x += w
    }
  }
  return picture
}

function windows(random: Random, left: number, top: number, width: number, height: number): string {
  const size = width / 9
  let lit = ''
  for (let y = top + size * 1.5; y < height * 0.97; y += size * 2.6) {
    for (let x = left + size; x < left + width - size * 1.5; x += size * 2.2) {
      if (random.chance(0.45)) lit += `<rect x="${x}" y="${y}" width="${size}" height="${size * 1.5}"/>`
    }
  }
  return `<g fill="#ffd98a" opacity="${random.between(0.35, 0.9)}">${lit}</g>`
}

function flowers({ width, height, random }: Canvas): string {
  const colours = ['#f6d743', '#f25f5c', '#ffffff', '#b388eb', '#ff9f1c']
  return Array.from({ length: 160 }, () => {
    const depth = random.next()
    const [x, y] = [random.next() * width, (0.78 + 0.22 * depth) * height]
    const size = (0.002 + 0.007 * depth) * width
    return `<g transform="translate(${x} ${y})"><rect x="${-size / 6}" width="${size / 3}" height="${size * 4}" fill="#2f6b3a"/>
      <circle r="${size}" fill="${random.pick(colours)}"/><circle r="${size * 0.35}" fill="#7a4b13"/></g>`
  }).join('')
}

/** Bokeh: out-of-focus lights in the evening. */
function lamps({ width, height, random }: Canvas): string {
  const warm = ['#ffb347', '#ffd27f', '#ff7f50', '#ffe4b5', '#f67280', '#9ad1d4']
  const spots = Array.from({ length: 70 }, () => {
    const [x, y] = [random.next() * width, random.between(0, 0.9) * height]
    return `<circle cx="${x}" cy="${y}" r="${random.between(0.008, 0.05) * width}" fill="url(#lamp${random.whole(0, warm.length - 1)})" opacity="${random.between(0.12, 0.6)}"/>`
  })
  const edges = warm.map(
    (colour, i) =>
      `<radialGradient id="lamp${i}"><stop offset=".85" stop-color="${colour}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`,
  )
  const dark = random.pick(['#1d1526', '#13212b', '#2b1a17', '#101820'])
  return `
    <radialGradient id="room" cy=".4" r=".9"><stop offset="0" stop-color="${mix(dark, '#b5703a', 0.4)}"/><stop offset="1" stop-color="${dark}"/></radialGradient>
    ${edges.join('')}<rect width="${width}" height="${height}" fill="url(#room)"/>${spots.join('')}${candles(width, height, random)}`
}

function candles(width: number, height: number, random: Random): string {
  const count = random.whole(1, 7)
  return Array.from({ length: count }, (_, i) => {
    const x = ((i + 0.5) / count) * width * 0.6 + 0.2 * width
    const [w, h] = [width * 0.012, height * random.between(0.12, 0.18)]
    const top = height * 0.95 - h
    return `<rect x="${x - w / 2}" y="${top}" width="${w}" height="${h}" rx="2" fill="${random.pick(['#f4f1de', '#e07a5f', '#81b29a'])}"/>
      <circle cx="${x}" cy="${top - w}" r="${w * 3}" fill="#ffdf9e" opacity=".35"/>
      <ellipse cx="${x}" cy="${top - w * 1.1}" rx="${w * 0.45}" ry="${w * 1.2}" fill="#fff3cf"/>`
  }).join('')
}

/** Interpolates between two colours. */
function mix(from: string, to: string, share: number): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map(at => Math.round(channel(from, at) * (1 - share) + channel(to, at) * share))
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}
