import { useLayoutEffect, useRef } from 'react'

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
