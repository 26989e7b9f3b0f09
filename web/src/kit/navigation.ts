/**
 * Gives the first history entry a unique key. The router uses "default" for it, so state stored by key, such as the
 * gallery's scroll position, would be restored for an unrelated visit.
 */
export function assignHistoryKey(): void {
  if (history.state?.key !== undefined) return
  history.replaceState({ ...history.state, key: Math.random().toString(36).slice(2) }, '')
}
