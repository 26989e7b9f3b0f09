import { type MouseEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Returns whether the component is still mounted, for responses that arrive late. */
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

/** A ref to the latest rendered value, for callbacks that outlive a render. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  }, [value])
  return latest
}

const DEBOUNCE = 200

/** A text once nobody has typed for a moment. */
export function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setSettled, DEBOUNCE, text)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/**
 * For a list whose rows disappear after an action: removing a focused button would move the focus to the top of the
 * page, so the list takes it instead. Spread the result on the element around the rows.
 */
export function useKeepFocus<Holder extends HTMLElement>() {
  const ref = useRef<Holder>(null)
  const within = useRef(false)

  // After every render, because any of them may have removed the row.
  useLayoutEffect(() => {
    if (within.current && document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
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

/** When a row disappears, the next one moves under the pointer: ignore the second click of a double click. */
export function onSingleClick(act: () => void) {
  return (event: MouseEvent) => {
    if (event.detail < 2) act()
  }
}

/** The browser's text size: people can change it. */
export function remInPixels(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

/** Whether it has been true since the component was mounted: a dialog stays while it fades out, and is not loaded before. */
export function useEver(condition: boolean): boolean {
  const [ever, setEver] = useState(condition)
  if (condition && !ever) setEver(true)
  return ever || condition
}
