import { useEffect, useState } from 'react'

/** Long enough for a word to be typed, short enough to feel like an answer. */
const PAUSE = 250

/** What is being typed: it becomes the search when the person pauses, and follows when the search changes elsewhere. */
export function useSearchDraft(search: string, onSearch: (search: string) => void): [string, (draft: string) => void] {
  const [draft, setDraft] = useState(search)
  const [known, setKnown] = useState(search)
  // What was asked for from here and has not come back yet. What the person typed meanwhile stays.
  const [asked, setAsked] = useState<readonly string[]>([])
  if (known !== search) {
    setKnown(search)
    const own = asked.lastIndexOf(search)
    setAsked(own === -1 ? [] : asked.slice(own + 1))
    if (own === -1) setDraft(search)
  }

  useEffect(() => {
    const next = draft.trim()
    if (next === search) return
    const ask = () => {
      setAsked(before => [...before, next])
      onSearch(next)
    }
    const pause = setTimeout(ask, next === '' ? 0 : PAUSE)
    return () => clearTimeout(pause)
  }, [draft, search, onSearch])

  return [draft, setDraft]
}
