import { createHash } from 'node:crypto'

/** The inline scripts of a page as sources for `script-src`: a policy with them allows exactly these scripts. */
export function inlineScriptSources(html: string): string[] {
  const inline = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi)
  return Array.from(inline, ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
}
