import type { Plugin } from 'vite'

/** The tags that Vite adds to the head for the program and its style sheet. */
const program = /\s*(?:<script type="module"[^>]*><\/script>|<link rel="(?:modulepreload|stylesheet)"[^>]*>)/g

/** Loads the program after the skeleton in index.html. In the head, its style sheet would delay the skeleton. */
export function skeletonFirst(): Plugin {
  return {
    name: 'skeleton-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const tags = html.match(program) ?? []
        return html.replaceAll(program, '').replace(/\s*<\/body>/, `${tags.join('')}\n  </body>`)
      },
    },
  }
}
