/** Anything smaller is a bar of the browser. */
const SMALLEST_KEYBOARD = 120

/**
 * Sets `--keyboard` to the height that the keyboard of a phone covers: most browsers leave the page as high as it was, so
 * that the buttons of a dialog at its bottom would be behind it.
 */
export function followKeyboard(): void {
  const viewport = window.visualViewport
  if (viewport === null) return
  const update = () => {
    const hidden = window.innerHeight - viewport.height * viewport.scale - viewport.offsetTop
    const height = hidden < SMALLEST_KEYBOARD ? 0 : Math.round(hidden)
    document.documentElement.style.setProperty('--keyboard', `${height}px`)
  }
  viewport.addEventListener('resize', update)
  viewport.addEventListener('scroll', update)
  update()
}
