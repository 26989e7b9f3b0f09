import { useRef } from 'react'

/** How long a pause ends a word. */
const PAUSE = 600

/** The letters typed one soon after the other. */
export function useTypeahead() {
  const typed = useRef({ text: '', at: 0 })
  return (letter: string): string => {
    const now = performance.now()
    const goesOn = now - typed.current.at < PAUSE
    typed.current = { text: goesOn ? typed.current.text + letter : letter, at: now }
    return typed.current.text
  }
}
