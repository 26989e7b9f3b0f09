/** Says without opening a database whether uploads were left unfinished: asked at every start of the page. */
const KEY = 'unfinished_uploads'

export function mayHaveUnfinished(): boolean {
  return localStorage.getItem(KEY) !== null
}

export function noteUnfinished(unfinished: boolean): void {
  if (unfinished) localStorage.setItem(KEY, 'yes')
  else localStorage.removeItem(KEY)
}
