import type { DemoPerson } from './people.ts'

/** The provider is a site of its own, so its one page brings its own small style, in the product's colours. */
export function choosePage({ title, people, uid }: { title: string; people: DemoPerson[]; uid: string }): string {
  const choices = people
    .map(
      person => `
      <button name="person" value="${escapeHtml(person.subject)}">
        <span class="initial" aria-hidden="true">${escapeHtml(person.name.slice(0, 1))}</span>
        <span><strong dir="auto">${escapeHtml(person.name)}</strong><small>${escapeHtml(person.about)}</small></span>
      </button>`,
    )
    .join('')
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Who are you? · ${escapeHtml(title)} demo</title>
  <style>${style}</style>
</head>
<body>
  <main>
    <p class="demo"><strong>This is a demo.</strong> It asks for no password, and it runs on this computer only.</p>
    <h1>Who are you today?</h1>
    <p>Choose someone to sign in to ${escapeHtml(title)}.</p>
    <form method="post" action="${escapeHtml(uid)}">${choices}
      <button class="quiet" name="cancel" value="1">Cancel</button>
    </form>
  </main>
</body>
</html>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

const style = `
  :root { color-scheme: light dark; --paper: oklch(0.985 0.006 85); --raised: oklch(1 0 0); --ink: oklch(0.25 0.02 60);
    --soft: oklch(0.45 0.02 60); --line: oklch(0.88 0.012 75); --accent: oklch(0.52 0.13 40); --note: oklch(0.95 0.04 75); }
  @media (prefers-color-scheme: dark) { :root { --paper: oklch(0.22 0.01 60); --raised: oklch(0.27 0.012 60);
    --ink: oklch(0.94 0.01 80); --soft: oklch(0.78 0.015 75); --line: oklch(0.38 0.015 60); --accent: oklch(0.72 0.12 45);
    --note: oklch(0.32 0.03 70); } }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--paper);
    color: var(--ink); font: 16px/1.5 'Source Sans 3', system-ui, sans-serif; }
  main { width: min(420px, 100%); }
  h1 { font: 500 28px/1.25 Literata, Georgia, serif; margin: 24px 0 4px; }
  p { margin: 0 0 16px; color: var(--soft); }
  .demo { background: var(--note); color: var(--ink); border-radius: 10px; padding: 12px 16px; }
  form { display: grid; gap: 8px; }
  button { display: flex; gap: 12px; align-items: center; width: 100%; min-height: 56px; padding: 8px 12px; text-align: start;
    font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
  button:hover { border-color: var(--accent); }
  button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  small { display: block; color: var(--soft); font-size: 14px; }
  .initial { flex: none; display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50%;
    background: var(--note); font: 500 18px Literata, Georgia, serif; }
  .quiet { justify-content: center; min-height: 44px; background: none; border-color: transparent; color: var(--soft); }
`
