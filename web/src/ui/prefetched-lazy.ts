import { type ComponentType, createElement, lazy, type ReactElement, Suspense } from 'react'

/** Long enough for the first screen to be drawn, short enough to come before most clicks. */
const PREFETCH_AFTER_MS = 1_500

/**
 * A component that is not needed for the first screen. It is loaded soon after the page, so that it opens at once and
 * also while the server cannot be reached.
 */
export function prefetchedLazy<Props>(load: () => Promise<ComponentType<Props>>) {
  let loaded: Promise<ComponentType<Props>> | undefined
  const loadOnce = () => (loaded ??= load())
  const prefetch = () =>
    setTimeout(() => {
      // Loading it again when it is needed reports the error.
      loadOnce().catch(() => (loaded = undefined))
    }, PREFETCH_AFTER_MS)
  if (document.readyState === 'complete') prefetch()
  else window.addEventListener('load', prefetch, { once: true })
  return lazy(async () => ({ default: await loadOnce() }))
}

/** A dialog or panel, with nothing in its place while it loads. */
export function prefetchedDialog<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = prefetchedLazy(load)
  return (props: Props): ReactElement => createElement(Suspense, { fallback: null }, createElement(Dialog, props))
}
