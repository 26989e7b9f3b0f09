/**
 * `waiting`: it is sent later. `elsewhere`: another tab has removed it and could not say why; a refusal is shown there. The
 * answer is undefined where another tab has sent it.
 */
export type Outcome =
  | { status: 'sent'; answer: unknown }
  | { status: 'refused'; error: unknown }
  | { status: 'waiting' }
  | { status: 'elsewhere' }

/** What a tab tells the others of a call that it removes, in a form that can be cloned. */
export interface Removal {
  id: string
  status: 'sent' | 'refused' | 'discarded'
  /** Why it was refused. */
  reason?: string
}

export function removalOf(id: string, outcome: Outcome): Removal {
  if (outcome.status === 'sent') return { id, status: 'sent' }
  if (outcome.status !== 'refused') return { id, status: 'discarded' }
  const { error } = outcome
  return { id, status: 'refused', ...(error instanceof Error ? { reason: error.message } : {}) }
}

/** The same for those others. */
export function outcomeOf({ status, reason }: Removal): Outcome {
  if (status === 'sent') return { status, answer: undefined }
  return status === 'refused' ? { status, error: new Error(reason) } : { status: 'waiting' }
}
