import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locale } from '#messages/locales.ts'
import { escapeHtml } from '../../kit/escape-html.ts'
import { textsIn } from '../../kit/messages.ts'
import type { DemoPerson } from './people.ts'

interface Choice {
  title: string
  people: DemoPerson[]
  uid: string
  locale: Locale
}

/** The provider is a separate site, so its only page includes its own small stylesheet, in the product's colours. */
export function choosePage({ title: library, people, uid, locale }: Choice): string {
  const { demo: texts } = textsIn('server-pages', locale)
  const choices = people
    .map(
      person => `
      <button name="person" value="${escapeHtml(person.subject)}">
        <span class="initial" aria-hidden="true">${escapeHtml(person.name.slice(0, 1))}</span>
        <span><strong dir="auto">${escapeHtml(person.name)}</strong><small>${escapeHtml(texts.people[person.about])}</small></span>
      </button>`,
    )
    .join('')
  return `<!doctype html>
<html lang="${locale}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(texts.title({ library }))}</title>
  <style>${style}</style>
</head>
<body>
  <main>
    <p class="demo"><strong>${escapeHtml(texts.notice)}</strong> ${escapeHtml(texts.noticeText)}</p>
    <h1>${escapeHtml(texts.heading)}</h1>
    <p>${escapeHtml(texts.text({ library }))}</p>
    <form method="post" action="${escapeHtml(uid)}">${choices}
      <button class="quiet" name="cancel" value="1">${escapeHtml(texts.cancel)}</button>
    </form>
  </main>
</body>
</html>`
}

/** The product's two fonts, inlined: the provider loads nothing from elsewhere. */
function fontFace(family: string, file: string): string {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(file))
  const source = `url(data:font/woff2;base64,${bytes.toString('base64')})`
  return `@font-face { font-family: '${family}'; font-weight: 200 900; src: ${source} format('woff2'); }`
}

const style = `
  ${fontFace('Literata', '@fontsource-variable/literata/files/literata-latin-wght-normal.woff2')}
  ${fontFace('Source Sans 3', '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2')}
  :root { color-scheme: light dark; --raised: light-dark(oklch(0.998 0.003 90), oklch(0.251 0.013 58));
    --ink: light-dark(oklch(0.25 0.02 60), oklch(0.93 0.014 80)); --soft: light-dark(oklch(0.455 0.025 60), oklch(0.755 0.02 75));
    --edge: light-dark(oklch(0.615 0.03 65), oklch(0.58 0.022 65)); --accent: light-dark(oklch(0.54 0.132 40), oklch(0.715 0.115 43));
    --wash: light-dark(oklch(0.945 0.025 55), oklch(0.315 0.035 45)); --note: light-dark(oklch(0.95 0.04 85), oklch(0.315 0.04 75));
    --cloth: light-dark(oklch(0.46 0.092 38), oklch(0.3 0.048 38)); --thread: light-dark(oklch(1 0.02 60 / 0.035), oklch(1 0.02 60 / 0.022)); }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; color: var(--ink);
    font: 16px/1.5 'Source Sans 3', system-ui, sans-serif; background:
    repeating-linear-gradient(0deg, var(--thread) 0 1px, transparent 1px 3px),
    repeating-linear-gradient(90deg, var(--thread) 0 1px, transparent 1px 4px), var(--cloth); }
  main { width: min(440px, 100%); padding: 32px; background: var(--raised); border-radius: 10px; }
  h1 { font: 600 28px/1.25 Literata, Georgia, serif; margin: 24px 0 4px; }
  p { margin: 0 0 16px; color: var(--soft); }
  .demo { background: var(--note); color: var(--ink); border-radius: 10px; padding: 12px 16px; }
  form { display: grid; gap: 8px; }
  button { display: flex; gap: 12px; align-items: center; width: 100%; min-height: 56px; padding: 8px 12px; text-align: start;
    font: inherit; color: inherit; background: none; border: 1px solid var(--edge); border-radius: 8px; cursor: pointer; }
  button:hover { border-color: var(--accent); background: var(--wash); }
  button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  small { display: block; color: var(--soft); font-size: 14px; }
  .initial { flex: none; display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50%;
    background: var(--wash); font: 600 18px Literata, Georgia, serif; }
  .quiet { justify-content: center; min-height: 44px; border-color: transparent; color: var(--soft); }
  @media (max-width: 480px) { main { padding: 20px; } }
`
