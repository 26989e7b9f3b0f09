/**
 * How the page will most likely be laid out, known before it is: so that its files can be drawn with it, and their pictures
 * asked for and shown before. What is wrong here costs time, or shows those elsewhere for a moment, and nothing else.
 */

const WIDEST = 1600
/** The folders beside the files, and the room between. */
const FOLDERS = 260 + 32
const SCRUBBER = 64
/** As many files fit into a tall window. */
const WITHOUT_SCROLLING = 40

/** Below the head of the page, its figures and the toolbar. */
export function likelyTop(): number {
  if (window.innerWidth >= 1024) return 408.6875
  return window.innerWidth >= 640 ? 472.6875 : 452.890625
}

export function likelyLeft(files: number): number {
  const margin = Math.max(0, likelyPageWidth(files) - WIDEST) / 2
  return margin + edge() + (window.innerWidth < 1024 ? 0 : FOLDERS)
}

/** What the page leaves for the files. */
export function likelyWidth(files: number, scrubber: boolean): number {
  const room = Math.min(likelyPageWidth(files), WIDEST) - 2 * edge()
  if (window.innerWidth < 768) return room
  return room - (scrubber ? SCRUBBER : 0) - (window.innerWidth < 1024 ? 0 : FOLDERS)
}

/** Before the page is drawn there is no scrollbar yet, which takes room on many desks. */
function likelyPageWidth(files: number): number {
  const bar = files > WITHOUT_SCROLLING ? scrollbarWidth() : 0
  return Math.min(document.documentElement.clientWidth, window.innerWidth - bar)
}

function scrollbarWidth(): number {
  const probe = document.createElement('div')
  Object.assign(probe.style, { position: 'absolute', visibility: 'hidden', width: '99px', overflowY: 'scroll' })
  document.documentElement.append(probe)
  const width = probe.offsetWidth - probe.clientWidth
  probe.remove()
  return width
}

function edge(): number {
  return window.innerWidth < 640 ? 16 : 24
}
