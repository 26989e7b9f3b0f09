/** The page to return to after signing in, in session storage. */

const KEY = 'return_path'

export function rememberReturnPath(path: string): void {
  sessionStorage.setItem(KEY, path)
}

/** Removes and returns the stored path; the gallery where there is none or it is not safe. */
export function takeReturnPath(): string {
  const path = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return safePath(path, window.location.origin)
}

/** Prevents open redirects and redirect loops: only our own pages, and not those for signing in. */
export function safePath(path: string | null, origin: string): string {
  if (path === null || !URL.canParse(path, origin)) return '/'
  const url = new URL(path, origin)
  const ours = url.origin === origin && path.startsWith('/')
  const signIn = url.pathname === '/login' || url.pathname.startsWith('/auth/')
  return ours && !signIn ? `${url.pathname}${url.search}${url.hash}` : '/'
}
