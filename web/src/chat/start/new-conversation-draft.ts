import { chat, lengths } from '#contract/limits.ts'

/** What a new conversation will be, and with whom. */
export interface NewConversationDraft {
  kind: 'direct' | 'group'
  chosen: readonly number[]
  title: string
}

export const emptyDraft: NewConversationDraft = { kind: 'direct', chosen: [], title: '' }

/** A direct message is to one person: of several, the first one chosen stays. */
export function withKind(kind: NewConversationDraft['kind'], choosing: NewConversationDraft): NewConversationDraft {
  return { ...choosing, kind, chosen: kind === 'direct' ? choosing.chosen.slice(0, 1) : choosing.chosen }
}

/** Chooses a person, or takes them out again. A second one makes it a group; one or none left makes it direct again. */
export function withPersonToggled(person: number, choosing: NewConversationDraft): NewConversationDraft {
  if (choosing.chosen.includes(person)) {
    const chosen = choosing.chosen.filter(id => id !== person)
    return { ...choosing, chosen, kind: chosen.length <= 1 ? 'direct' : choosing.kind }
  }
  const chosen = [...choosing.chosen, person]
  return { ...choosing, chosen, kind: chosen.length > 1 ? 'group' : choosing.kind }
}

/** What a group still lacks before it can be created; a direct message lacks what is plain to see. */
export function missingFields({ kind, chosen, title }: NewConversationDraft): readonly ('name' | 'people')[] {
  if (kind === 'direct') return []
  const isNamed = title.trim() !== '' && title.trim().length <= lengths.groupTitle
  const areEnough = chosen.length >= chat.leastInGroup
  return [...(isNamed ? [] : ['name' as const]), ...(areEnough ? [] : ['people' as const])]
}

export function canStart(choosing: NewConversationDraft): boolean {
  return choosing.kind === 'direct' ? choosing.chosen.length === 1 : missingFields(choosing).length === 0
}
