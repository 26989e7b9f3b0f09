/** What a finger did that moved over a picture which is not zoomed. */
export type Swipe = 'previous' | 'next' | 'close' | 'none'

interface Movement {
  x: number
  y: number
  milliseconds: number
}

const FAR = 80
const QUICK = { distance: 24, pixelsPerMillisecond: 0.4 }

/** Far enough or quick enough, and clearly in one direction. Downwards puts the photo back. */
export function swipeOf({ x, y, milliseconds }: Movement): Swipe {
  const [across, down] = [Math.abs(x), Math.abs(y)]
  const counts = (distance: number) =>
    distance >= FAR ||
    (distance >= QUICK.distance && distance / Math.max(1, milliseconds) >= QUICK.pixelsPerMillisecond)
  if (across > down * 1.2) return counts(across) ? (x > 0 ? 'previous' : 'next') : 'none'
  if (y > across * 1.2 && y >= FAR) return 'close'
  return 'none'
}
