/**
 * How the page will most likely be laid out, known before it is: so that its files can be drawn with it and their pictures
 * asked for before. What is wrong here costs time, and nothing else.
 */

/** The head of the page, its figures and the toolbar, at the least. */
export const ABOVE_FILES = 400

/** What the page leaves for the files. */
export function likelyWidth(scrubber: boolean): number {
  const room = Math.min(document.documentElement.clientWidth, 1600) - (window.innerWidth < 640 ? 32 : 48)
  if (window.innerWidth < 768) return room
  return room - (scrubber ? 64 : 0) - (window.innerWidth < 1024 ? 0 : 260 + 32)
}
