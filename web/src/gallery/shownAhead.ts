import type { FirstPicture } from './firstPictures.ts'

const NAME = 'shown-ahead'
/** A picture of the page that has come is decoded, and faded in, within this time. */
const SHOWN_AFTER_MS = 250
/** When the page has its files and still does not show what was shown ahead, it shows others. */
const LEFT_AFTER_MS = 1_000
/** When it has been there for so long without any, something else keeps them away. */
const GIVEN_UP_AFTER_MS = 10_000

/**
 * Shows the first pictures where the page will have them, while the program is still being read: a tablet takes longer for
 * that than for all of them. Each goes when the page shows it itself, and all of them when anybody does anything.
 */
export async function showAhead(pictures: readonly FirstPicture[]): Promise<void> {
  const root = await whereThePageWillBe()
  // With other letters the page is laid out otherwise.
  if (root.hasChildNodes() || getComputedStyle(document.documentElement).fontSize !== '16px') return
  const sheet = document.createElement('div')
  sheet.className = NAME
  sheet.ariaHidden = 'true'
  sheet.append(...pictures.map(placed))
  document.body.append(sheet)

  const over = new AbortController()
  const end = () => {
    over.abort()
    sheet.remove()
  }
  const early = { capture: true, signal: over.signal }
  for (const type of ['scroll', 'resize', 'pointerdown', 'keydown']) window.addEventListener(type, end, early)
  document.addEventListener('load', ({ target }) => takeOver(sheet, target), early)
  let isDrawn = false
  const drawing = new MutationObserver(() => {
    if (!isDrawn) setTimeout(end, GIVEN_UP_AFTER_MS)
    isDrawn = true
    // As when the session was over.
    if (location.pathname !== '/') return end()
    if (root.querySelector('[data-index], [role="alert"]') === null) return
    drawing.disconnect()
    setTimeout(end, LEFT_AFTER_MS)
  })
  drawing.observe(root, { childList: true, subtree: true })
  over.signal.addEventListener('abort', () => drawing.disconnect())
}

/** The pictures can be known before the document has been read to its end. */
function whereThePageWillBe(): Promise<HTMLElement> {
  return new Promise(resolve => {
    const look = () => {
      const root = document.getElementById('root')
      if (root === null) return
      reading.disconnect()
      resolve(root)
    }
    const reading = new MutationObserver(look)
    reading.observe(document, { childList: true, subtree: true })
    look()
  })
}

/** Whether anything is shown ahead or not: when it can be seen. */
export async function untilSeen(): Promise<void> {
  const images = [...document.querySelectorAll<HTMLImageElement>(`.${NAME} img`)]
  if (images.length === 0) return
  await Promise.allSettled(images.map(image => image.decode()))
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
}

function placed({ image, left, top, side }: FirstPicture): HTMLImageElement {
  image.alt = ''
  Object.assign(image.style, { left: `${left}px`, top: `${top}px`, width: `${side}px`, height: `${side}px` })
  return image
}

/** The page's own picture has come: what stands over it goes once it can be seen. */
function takeOver(sheet: HTMLElement, come: EventTarget | null): void {
  if (!(come instanceof HTMLImageElement) || come.parentElement === sheet) return
  for (const image of sheet.querySelectorAll('img')) {
    if (image.src === come.src) setTimeout(() => image.remove(), SHOWN_AFTER_MS)
  }
}
