import type { MouseEvent } from 'react'

/** When a row leaves, the next one moves under the pointer: the second half of a double click must not act on it. */
export function onSingleClick(act: () => void) {
  return (event: MouseEvent) => {
    if (event.detail < 2) act()
  }
}
