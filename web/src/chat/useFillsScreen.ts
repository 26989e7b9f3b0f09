import { useWide } from '../ui/useWide.ts'

/** On a phone the chat is the whole screen; the same width as `sm:` in its looks. */
export function useFillsScreen(): boolean {
  return !useWide('sm')
}
