import { useSyncExternalStore } from 'react'

/** On a phone the chat is the whole screen; the same width as `sm:` in its looks. */
const phone = '(width < 40rem)'

export function useFillsScreen(): boolean {
  return useSyncExternalStore(
    listener => {
      const query = window.matchMedia(phone)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => window.matchMedia(phone).matches,
  )
}
