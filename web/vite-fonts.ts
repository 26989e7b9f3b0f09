import type { Plugin } from 'vite'

/** The letters that every page is written in. Others are fetched where a name or a note has them. */
const everywhere = /(?:source-sans-3|literata)-latin-wght-normal-[^/]*\.woff2$/

/**
 * Names the fonts in the page itself. From the style sheet alone the browser learns of them when it lays out the first
 * text: it does so in a font of its own, and once more when they have come.
 */
export function fonts(): Plugin {
  return {
    name: 'fonts',
    apply: 'build',
    transformIndexHtml: (_page, { bundle = {} }) =>
      Object.keys(bundle)
        .filter(name => everywhere.test(name))
        .map(name => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
          injectTo: 'head',
        })),
  }
}
