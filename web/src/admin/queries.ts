import { useQuery } from '@tanstack/react-query'
import { adminStats, approvePerson, denyPerson, reapprovePerson, revokePerson } from '#contract/people.ts'
import { useAction } from '../kit/action.ts'
import { query } from '../kit/queries.ts'
import { texts } from './texts.ts'

export function useAdminStats() {
  return useQuery(query(adminStats, {}, texts.loadFailed))
}

const decisions = {
  approve: approvePerson,
  deny: denyPerson,
  revoke: revokePerson,
  reapprove: reapprovePerson,
} as const

export type Decision = keyof typeof decisions

export function useDecision(decision: Decision) {
  const { success, failure } = texts[decision]
  return useAction(decisions[decision], { success, failure, changes: [{ kind: 'people' }] })
}
