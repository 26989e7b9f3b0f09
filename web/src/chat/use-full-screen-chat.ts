import { useScreen } from '../ui/use-screen.ts'

/** On phones the chat fills the screen; the same breakpoint as `sm:` in its CSS. */
export function useFullScreenChat(): boolean {
  return !useScreen('sm')
}
