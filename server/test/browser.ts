interface Cookie {
  name: string
  value: string
  path: string
}

let browsers = 0

/** The part of a browser that a sign-in needs: cookies, and redirects that a test can stop at. */
export class Browser {
  /** Each browser has its own client address, sent as a trusted proxy would. Null: no proxy. */
  readonly address: string | null
  #cookies: Cookie[] = []

  constructor(address?: string | null) {
    browsers += 1
    const ownAddress = `10.${(browsers >> 16) & 255}.${(browsers >> 8) & 255}.${browsers & 255}`
    this.address = address === undefined ? ownAddress : address
  }

  /** One request; redirects are returned, not followed. */
  async visit(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.address !== null) headers.set('x-forwarded-for', this.address)
    const cookies = this.#cookies.filter(cookie => new URL(url).pathname.startsWith(cookie.path))
    if (cookies.length > 0) headers.set('cookie', cookies.map(({ name, value }) => `${name}=${value}`).join('; '))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    this.#keep(response.headers.getSetCookie())
    return response
  }

  /** Follows redirects up to the URL that matches `until`, which is not visited, or to the first page. */
  async follow(start: string | URL, until: (url: URL) => boolean = () => false, init?: RequestInit): Promise<URL> {
    let url = new URL(start)
    let response = await this.visit(url, init)
    for (let hops = 0; hops < 20; hops++) {
      const location = response.headers.get('location')
      await response.body?.cancel()
      if (!location) {
        if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}`)
        return url
      }
      url = new URL(location, url)
      if (until(url)) return url
      response = await this.visit(url)
    }
    throw new Error(`Too many redirects, the last to ${url.pathname}`)
  }

  cookie(name: string): string | undefined {
    return this.#cookies.find(cookie => cookie.name === name)?.value
  }

  #keep(lines: string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(pair.indexOf('=') + 1)
      const path = attributes.find(attribute => /^path=/i.test(attribute))?.slice('path='.length) ?? '/'
      this.#cookies = this.#cookies.filter(cookie => cookie.name !== name || cookie.path !== path)
      if (value !== '') this.#cookies.push({ name, value, path })
    }
  }
}
