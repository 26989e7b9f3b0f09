import type { FirstPicture } from './firstPictures.ts'

const NAME = 'shown-ahead'
/** A picture of the page that has come is decoded, and faded in, within this time. */
const SHOWN_AFTER_MS = 250
/** When the page is there and still does not show what was shown ahead, it shows something else. */
const LEFT_AFTER_MS = 1_000

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
  const drawn = new MutationObserver(() => setTimeout(end, LEFT_AFTER_MS))
  drawn.observe(root, { childList: true })
  over.signal.addEventListener('abort', () => drawn.disconnect())
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

export function isShownAhead(): boolean {
  return document.querySelector(`.${NAME}`) !== null
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
