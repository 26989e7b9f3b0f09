import type { CDPSession, Page } from '@playwright/test'

/** The viewer, by the name of the open file. */
export const viewer = (page: Page, name?: string) => page.getByRole('dialog', name === undefined ? {} : { name })

/** The element that is panned, zoomed and rotated. */
export const picture = (page: Page) => page.getByTestId('picture')

/** How the picture is shown: its scale, its centre and its rotation in degrees. */
export async function transformOf(page: Page): Promise<{ scale: number; x: number; y: number; turn: number }> {
  return picture(page).evaluate(element => {
    const { a, b, e, f } = new DOMMatrix(getComputedStyle(element).transform)
    const turn = Math.round((Math.atan2(b, a) * 180) / Math.PI)
    return { scale: Math.round(Math.hypot(a, b) * 1_000) / 1_000, x: e, y: f, turn: (turn + 360) % 360 }
  })
}

type Finger = { x: number; y: number }

/** Between two touch events. */
const STEP_SECONDS = 0.03

/** Touches: each step has the positions of all fingers; an empty step lifts them. */
export async function touch(session: CDPSession, ...steps: Finger[][]): Promise<void> {
  const began = Date.now() / 1_000
  for (const [i, touchPoints] of steps.entries()) {
    const type = i === 0 ? 'touchStart' : touchPoints.length === 0 ? 'touchEnd' : 'touchMove'
    // With timestamps, because a busy machine may make a tap as slow as a long press.
    await session.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: began + i * STEP_SECONDS })
  }
}

/** Drags one finger from one point to another. */
export async function swipe(session: CDPSession, from: Finger, to: Finger): Promise<void> {
  const steps = [0, 0.25, 0.5, 0.75, 1].map(part => [
    { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part },
  ])
  await touch(session, ...steps, [])
}

/** With timestamps, because a busy machine may take longer between two taps than a person. */
export async function doubleTap(session: CDPSession, at: Finger): Promise<void> {
  const now = Date.now() / 1_000
  for (const timestamp of [now, now + 0.1]) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at], timestamp })
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: timestamp + 0.05 })
  }
}
