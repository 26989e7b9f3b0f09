import type { Message, MessageFile, Placeholder } from './message-files.ts'

const head = '// Generated from the catalogues in messages/en by `npm run messages`.\n'

/** `messages/types.ts`: an interface of all catalogues, with the types of the values that each message takes. */
export function messageTypes(files: readonly MessageFile[]): string {
  const catalogues = files.map(({ name, messages }) => `  ${property(name)}: ${typeOfGroup(nest(messages), '  ')}\n`)
  return `${head}\nexport interface Messages {\n${catalogues.join('')}}\n`
}

interface Group {
  [key: string]: Message | Group
}

function nest(messages: ReadonlyMap<string, Message>): Group {
  const root: Group = {}
  for (const [path, message] of messages) {
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    let group = root
    for (const key of keys) {
      group[key] ??= {}
      group = group[key] as Group
    }
    group[last] = message
  }
  return root
}

function typeOfGroup(group: Group, indent: string): string {
  const lines = Object.entries(group).map(
    ([key, value]) =>
      `${indent}  ${property(key)}: ${isMessage(value) ? typeOfMessage(value) : typeOfGroup(value, `${indent}  `)}\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}

function isMessage(value: Message | Group): value is Message {
  return typeof value.text === 'string' && value.placeholders instanceof Map
}

function typeOfMessage({ placeholders }: Message): string {
  if (placeholders.size === 0) return 'string'
  const values = [...placeholders].map(([name, placeholder]) => `${property(name)}: ${typeOfValue(placeholder)}`)
  return `(values: { ${values.join('; ')} }) => string`
}

function typeOfValue(placeholder: Placeholder): string {
  if (placeholder.type === 'number') return 'number'
  if (placeholder.type === 'text') return 'string'
  return placeholder.choices.map(choice => `'${choice}'`).join(' | ')
}

function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
}
