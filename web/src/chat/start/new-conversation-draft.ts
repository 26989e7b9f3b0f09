import { chat, lengths } from '#contract/limits.ts'

/** The form state of a new conversation. */
export interface NewConversationDraft {
  kind: 'direct' | 'group'
  chosen: readonly number[]
  title: string
}

export const emptyDraft: NewConversationDraft = { kind: 'direct', chosen: [], title: '' }

/** A direct message has one person: the first one chosen is kept. */
export function withKind(kind: NewConversationDraft['kind'], choosing: NewConversationDraft): NewConversationDraft {
  return { ...choosing, kind, chosen: kind === 'direct' ? choosing.chosen.slice(0, 1) : choosing.chosen }
}

/** A second person makes it a group; down to one or none, it is direct again. */
export function withPersonToggled(person: number, choosing: NewConversationDraft): NewConversationDraft {
  if (choosing.chosen.includes(person)) {
    const chosen = choosing.chosen.filter(id => id !== person)
    return { ...choosing, chosen, kind: chosen.length <= 1 ? 'direct' : choosing.kind }
  }
  const chosen = [...choosing.chosen, person]
  return { ...choosing, chosen, kind: chosen.length > 1 ? 'group' : choosing.kind }
}

/** What a group still needs before it can be created. */
export function missingFields({ kind, chosen, title }: NewConversationDraft): readonly ('name' | 'people')[] {
  if (kind === 'direct') return []
  const isNamed = title.trim() !== '' && title.trim().length <= lengths.groupTitle
  const areEnough = chosen.length >= chat.leastInGroup
  return [...(isNamed ? [] : ['name' as const]), ...(areEnough ? [] : ['people' as const])]
}

export function canStart(choosing: NewConversationDraft): boolean {
  return choosing.kind === 'direct' ? choosing.chosen.length === 1 : missingFields(choosing).length === 0
}
