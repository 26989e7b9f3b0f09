import { useMinWidth } from '../ui/use-min-width.ts'

/** On a phone the chat is the whole screen; the same width as `sm:` in its looks. */
export function useFullScreenChat(): boolean {
  return !useMinWidth('sm')
}
