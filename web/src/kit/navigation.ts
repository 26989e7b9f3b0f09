/**
 * Gives the first history entry a unique key. The router uses "default" for it, so state stored by key, such as the
 * gallery's scroll position, would be restored for an unrelated visit.
 */
export function assignHistoryKey(): void {
  if (history.state?.key !== undefined) return
  history.replaceState({ ...history.state, key: Math.random().toString(36).slice(2) }, '')
}

/** Whether the page was opened by a link or a typed address, not by Back, Forward or a reload. */
export function isFreshNavigation(): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  return visit instanceof PerformanceNavigationTiming && visit.type === 'navigate'
}
