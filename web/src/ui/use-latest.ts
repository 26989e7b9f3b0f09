import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A value as it is drawn now, for those who began something while it was another. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  }, [value])
  return latest
}
