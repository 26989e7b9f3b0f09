import type { Page } from '@playwright/test'

/**
 * The baseline of the gallery: virtualised squares with nothing but the picture in each. A frame that this page misses on a
 * machine, any page would.
 */
export async function drawBareGrid(page: Page, files: number, pictures: readonly string[]): Promise<void> {
  await page.goto('about:blank')
  await page.evaluate(
    ({ files, pictures }) => {
      const [columns, side, rowHeight, around] = [5, 266, 326, 2]
      const space = document.createElement('div')
      space.style.cssText = `position: relative; height: ${Math.ceil(files / columns) * rowHeight}px`
      document.body.append(space)

      const rows = new Map<number, HTMLElement>()
      const draw = () => {
        const first = Math.max(0, Math.floor(window.scrollY / rowHeight) - around)
        const last = Math.floor((window.scrollY + window.innerHeight) / rowHeight) + around
        for (const [index, row] of rows) {
          if (index >= first && index <= last) continue
          row.remove()
          rows.delete(index)
        }
        for (let index = first; index <= last; index++) {
          if (rows.has(index)) continue
          const row = document.createElement('div')
          row.style.cssText = `position: absolute; top: ${index * rowHeight}px; display: flex; gap: 16px`
          for (let column = 0; column < columns; column++) {
            const picture = new Image(side, side)
            picture.style.objectFit = 'cover'
            picture.decoding = 'async'
            picture.src = pictures[(index * columns + column) % pictures.length] ?? ''
            row.append(picture)
          }
          space.append(row)
          rows.set(index, row)
        }
      }
      window.addEventListener('scroll', draw)
      draw()
    },
    { files, pictures },
  )
}
