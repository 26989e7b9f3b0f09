import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { inlineScriptSources } from './inline-scripts.ts'

const sourceOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

test('each inline script has a source by its exact text', () => {
  const html = `<script>a()\n</script><script src="/x.js"></script><SCRIPT type="module"> b() </SCRIPT>
    <script async src="/y.js">c()</script><script data-srcless>d()</script>`
  expect(inlineScriptSources(html)).toEqual(['a()\n', ' b() ', 'd()'].map(sourceOf))
})

test('a page without inline scripts allows none', () => {
  expect(inlineScriptSources('<script type="module" src="/a.js"></script>')).toEqual([])
})
