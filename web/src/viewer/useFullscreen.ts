import { useEffect, useState } from 'react'

/** Chromium hands Escape to a page that asks for it, instead of leaving full screen by itself. */
interface LockableKeyboard {
  lock(keys: readonly string[]): Promise<void>
  unlock(): void
}

/**
 * Full screen, with everything else of the page in it: dialogs and messages have to be seen there too. Where a browser
 * has no full screen for pages (an iPhone), the photo alone fills the page.
 */
export function useFullscreen() {
  const [on, setOn] = useState(false)
  useEffect(() => {
    const follow = () => setOn(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', follow)
    return () => {
      document.removeEventListener('fullscreenchange', follow)
      void leave()
    }
  }, [])
  const change = (to: boolean) => {
    setOn(to)
    void (to ? enter() : leave())
  }
  return { on, leave: () => change(false), toggle: () => change(!on) }
}

async function enter(): Promise<void> {
  if (!document.fullscreenEnabled) return
  try {
    await document.documentElement.requestFullscreen({ navigationUI: 'hide' })
    // The interval menu has to close before full screen ends, and only so the page hears of the key.
    await keyboard()?.lock(['Escape'])
  } catch {
    // A browser may refuse; the page is filled all the same.
  }
}

async function leave(): Promise<void> {
  keyboard()?.unlock()
  if (document.fullscreenElement !== null) await document.exitFullscreen()
}

function keyboard(): LockableKeyboard | undefined {
  return 'keyboard' in navigator ? (navigator.keyboard as LockableKeyboard) : undefined
}
