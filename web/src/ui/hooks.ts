import { type MouseEvent, type RefObject, useCallback, useLayoutEffect, useRef } from 'react'

/** Tells whether the component is still on the page: an answer that comes late must not act where somebody has gone on. */
export function useIsMounted(): () => boolean {
  const here = useRef(false)
  useLayoutEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return useCallback(() => here.current, [])
}

/** A value as it is drawn now, for those who began something while it was another. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  }, [value])
  return latest
}

/**
 * For a list whose rows leave when something is done to them: a focused button that is removed would drop the focus to
 * the top of the page, so the list takes it instead. Goes on the element around the rows.
 */
export function useKeepFocus<Holder extends HTMLElement>() {
  const ref = useRef<Holder>(null)
  const within = useRef(false)

  // After every render, because any of them may be the one in which the row left.
  useLayoutEffect(() => {
    if (within.current && document.activeElement === document.body) ref.current?.focus()
  })

  return {
    ref,
    tabIndex: -1,
    onFocus: () => {
      within.current = true
    },
    onBlur: () => {
      within.current = false
    },
  }
}

/** When a row leaves, the next one moves under the pointer: the second half of a double click must not act on it. */
export function onSingleClick(act: () => void) {
  return (event: MouseEvent) => {
    if (event.detail < 2) act()
  }
}
