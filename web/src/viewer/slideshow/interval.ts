import { slideshow } from '#contract/limits.ts'

export type Seconds = (typeof slideshow.seconds)[number]

const KEY = 'viewer.interval'

/** As the person chose it last. */
export function rememberedInterval(): Seconds {
  const kept = Number(localStorage.getItem(KEY))
  return slideshow.seconds.find(seconds => seconds === kept) ?? slideshow.usual
}

export function rememberInterval(seconds: Seconds): void {
  localStorage.setItem(KEY, String(seconds))
}
