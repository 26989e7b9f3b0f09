/**
 * Gives the first entry of a visit a name of its own. The router calls it "default" in every visit, and what is kept by an
 * entry's name, such as the place in the gallery, would be found again under an address that was typed anew.
 */
export function assignHistoryKey(): void {
  if (history.state?.key !== undefined) return
  history.replaceState({ ...history.state, key: Math.random().toString(36).slice(2) }, '')
}

/** Whether this page was come to by a link or an address, and not by Back, Forward or a reload. */
export function isFreshNavigation(): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  return visit instanceof PerformanceNavigationTiming && visit.type === 'navigate'
}
