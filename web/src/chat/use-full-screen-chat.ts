import { useMinWidth } from '../ui/use-min-width.ts'

/** On phones the chat fills the screen; the same breakpoint as `sm:` in its CSS. */
export function useFullScreenChat(): boolean {
  return !useMinWidth('sm')
}
