import { useEffect, useState } from 'react'

/** Long enough for a word to be typed, short enough to feel like an answer. */
const PAUSE = 250

/** What is being typed: it becomes the search when the person pauses, and follows when the search changes elsewhere. */
export function useSearchDraft(search: string, onSearch: (search: string) => void): [string, (draft: string) => void] {
  const [draft, setDraft] = useState(search)
  const [known, setKnown] = useState(search)
  if (known !== search) {
    setKnown(search)
    // What the person typed beyond it meanwhile stays, and so does a space at its end.
    if (draft.trim() !== search) setDraft(search)
  }

  useEffect(() => {
    const next = draft.trim()
    if (next === search) return
    const pause = setTimeout(() => onSearch(next), next === '' ? 0 : PAUSE)
    return () => clearTimeout(pause)
  }, [draft, search, onSearch])

  return [draft, setDraft]
}
