export const notIndexed = { 'x-robots-tag': 'noindex, nofollow' }

/** Each link has its own cookies, which browsers send to the addresses of that link alone. */
export function linkCookie({ protocol }: URL, kind: 'link' | 'guest') {
  const secure = protocol === 'https:'
  return {
    name: `${secure ? '__Secure-' : ''}heirloom_${kind}`,
    optionsFor: (id: number, lastsMs: number) =>
      ({ httpOnly: true, sameSite: 'strict', secure, path: `/shared/${id}`, maxAge: lastsMs / 1000 }) as const,
  }
}
