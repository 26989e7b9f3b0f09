/** Pictures fetched and decoded ahead of their turn. Never many: each is a screen full of pixels. */

const MOST = 6

const kept = new Map<string, HTMLImageElement>()
const ready = new WeakSet<HTMLImageElement>()

export function preload(address: string): void {
  const known = kept.get(address)
  kept.delete(address)
  kept.set(address, known ?? begin(address))
  for (const [oldest, image] of kept) {
    if (kept.size <= MOST) break
    kept.delete(oldest)
    // Ends a download that nobody waits for any more.
    if (!image.complete) image.src = ''
  }
}

function begin(address: string): HTMLImageElement {
  const image = new Image()
  image.src = address
  image.decode().then(
    () => ready.add(image),
    // Whoever turns to it finds out why, and says so.
    () => undefined,
  )
  return image
}

/** Whether a picture can be shown with the very next frame. */
export function isPreloaded(address: string): boolean {
  const image = kept.get(address)
  return image !== undefined && ready.has(image)
}
