import { newKey } from './new-key.ts'

/** A lock that a tab holds as long as it is open tells the others that its uploads are not left behind. */

const PREFIX = 'heirloom-upload-tab-'

/** The name of this tab, known to the others until it is closed. */
export function nameThisTab(): string {
  const tab = newKey()
  // Without a secure connection a browser has no locks; then two tabs may offer the same files.
  void navigator.locks?.request(PREFIX + tab, () => new Promise(() => {}))
  return tab
}

export async function openTabs(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])))
}
