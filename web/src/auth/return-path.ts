/** Where a person wanted to go before they had to sign in; kept in this tab while they are at the provider. */

const KEY = 'return_path'

export function rememberReturnPath(path: string): void {
  sessionStorage.setItem(KEY, path)
}

/** The remembered path, once; the gallery when there is none or it cannot be trusted. */
export function takeReturnPath(): string {
  const path = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return safePath(path, window.location.origin)
}

/** Only a page of our own, and not one of the pages for signing in, which would lead in a circle. */
export function safePath(path: string | null, origin: string): string {
  if (path === null || !URL.canParse(path, origin)) return '/'
  const url = new URL(path, origin)
  const ours = url.origin === origin && path.startsWith('/')
  const signIn = url.pathname === '/login' || url.pathname.startsWith('/auth/')
  return ours && !signIn ? `${url.pathname}${url.search}${url.hash}` : '/'
}
