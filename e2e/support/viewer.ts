import type { CDPSession, Page } from '@playwright/test'

/** The open photo or film, by the name that stands over it. */
export const viewer = (page: Page, name?: string) => page.getByRole('dialog', name === undefined ? {} : { name })

/** What moves, grows and turns. */
export const picture = (page: Page) => page.getByTestId('picture')

/** How the picture is shown: its size on the screen beside its size at rest, its middle, and its turn in degrees. */
export async function lookOf(page: Page): Promise<{ scale: number; x: number; y: number; turn: number }> {
  return picture(page).evaluate(element => {
    const { a, b, e, f } = new DOMMatrix(getComputedStyle(element).transform)
    const turn = Math.round((Math.atan2(b, a) * 180) / Math.PI)
    return { scale: Math.round(Math.hypot(a, b) * 1_000) / 1_000, x: e, y: f, turn: (turn + 360) % 360 }
  })
}

type Finger = { x: number; y: number }

/** Fingers on a screen: each step says where they are now; none, that they are lifted. */
export async function touch(session: CDPSession, ...steps: Finger[][]): Promise<void> {
  for (const [i, touchPoints] of steps.entries()) {
    const type = i === 0 ? 'touchStart' : touchPoints.length === 0 ? 'touchEnd' : 'touchMove'
    await session.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
}

/** One finger from one place to another, in a few steps. */
export async function swipe(session: CDPSession, from: Finger, to: Finger): Promise<void> {
  const steps = [0, 0.25, 0.5, 0.75, 1].map(part => [
    { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part },
  ])
  await touch(session, ...steps, [])
}
