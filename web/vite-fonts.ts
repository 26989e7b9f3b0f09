import type { Plugin } from 'vite'

/** The Latin subset, which every page uses. Other subsets are loaded on demand, for names and notes that need them. */
const everywhere = /(?:source-sans-3|literata)-latin-wght-normal-[^/]*\.woff2$/

/**
 * Preloads the fonts. Otherwise the browser discovers them only in the style sheet, renders the first text in a
 * fallback font and lays it out again when they are loaded.
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
