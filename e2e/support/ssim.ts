import sharp from 'sharp'

interface Greys {
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

const WINDOW = 8
const STEP = 4
/** The two constants of the measure, for values up to 255. */
const C1 = (0.01 * 255) ** 2
const C2 = (0.03 * 255) ** 2

/** The structural similarity (SSIM) of two pictures of one size, in greys: 1 for the same picture. */
export async function ssim(one: Buffer | string, other: Buffer | string): Promise<number> {
  const [a, b] = await Promise.all([greys(one), greys(other)])
  if (a.width !== b.width || a.height !== b.height) {
    throw new Error(`${a.width} × ${a.height} is not ${b.width} × ${b.height}`)
  }
  let sum = 0
  let windows = 0
  for (let top = 0; top + WINDOW <= a.height; top += STEP) {
    for (let left = 0; left + WINDOW <= a.width; left += STEP) {
      sum += ssimOfWindow(a, b, left, top)
      windows++
    }
  }
  return sum / windows
}

function ssimOfWindow(a: Greys, b: Greys, left: number, top: number): number {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0]
  for (let y = top; y < top + WINDOW; y++) {
    for (let at = y * a.width + left; at < y * a.width + left + WINDOW; at++) {
      const valueA = a.data[at] ?? 0
      const valueB = b.data[at] ?? 0
      sumA += valueA
      sumB += valueB
      squaresA += valueA * valueA
      squaresB += valueB * valueB
      products += valueA * valueB
    }
  }
  const count = WINDOW * WINDOW
  const meanA = sumA / count
  const meanB = sumB / count
  const varianceA = squaresA / count - meanA * meanA
  const varianceB = squaresB / count - meanB * meanB
  const covariance = products / count - meanA * meanB
  const ssim = (2 * meanA * meanB + C1) * (2 * covariance + C2)
  return ssim / ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2))
}

async function greys(picture: Buffer | string): Promise<Greys> {
  const { data, info } = await sharp(picture)
    .flatten({ background: 'white' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
