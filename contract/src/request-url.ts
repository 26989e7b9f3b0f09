/** The URL of a call: its path with the parameters filled in, and the query string. */
export function requestUrl(path: string, params: unknown, query: unknown): string {
  const given = asRecord(params)
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = given[name]
    if (value === undefined) throw new Error(`${path} needs the parameter ${name}`)
    return encodeURIComponent(String(value))
  })
  const search = queryString(asRecord(query))
  return search === '' ? filled : `${filled}?${search}`
}

function queryString(query: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) search.append(name, String(one))
    }
  }
  return search.toString()
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
