/** The keys of all messages in a catalogue, such as `note.mention`. */
export type KeyOf<Group> = {
  [Name in keyof Group & string]: Group[Name] extends string | ((values: never) => string)
    ? Name
    : `${Name}.${KeyOf<Group[Name]>}`
}[keyof Group & string]

/** What a message takes, by its key; an empty object if it has no placeholders. */
export type ValuesOf<Group, Key extends string> = Key extends keyof Group
  ? Group[Key] extends (values: infer Values) => string
    ? Values
    : Record<never, never>
  : Key extends `${infer Name}.${infer Rest}`
    ? Name extends keyof Group
      ? ValuesOf<Group[Name], Rest>
      : never
    : never

/** A reference to a message, which is formatted later in the language of its reader. */
export interface NamedMessage {
  key: string
  values?: Readonly<Record<string, string | number>> | undefined
}

/** The formatted message; undefined if there is none with this key, as when it is of another version. */
export function inWords(texts: object, { key, values = {} }: NamedMessage): string | undefined {
  let found: unknown = texts
  for (const name of key.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  if (typeof found === 'function') return String(found(values))
  return typeof found === 'string' ? found : undefined
}
