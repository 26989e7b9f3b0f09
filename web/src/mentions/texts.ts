export const texts = {
  suggestions: 'People to mention',
  /** For screen readers, when the list opens or changes. */
  found: (count: number) => (count === 1 ? '1 person to mention' : `${count} people to mention`),
} as const
