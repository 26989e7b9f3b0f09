import type { ErrorArguments, ErrorKey, Refusal } from '#messages/errors.ts'

/**
 * What a schema says about a value that breaks its rule. The message of a zod issue is a string, which the server puts into words.
 *
 * Imports types alone, because sandboxed decoders load this folder without the messages.
 */
export function refusal<Key extends ErrorKey>(key: Key, ...[values]: ErrorArguments<Key>): string {
  return JSON.stringify({ key, values } satisfies Refusal)
}
