import { type Command, readArguments, UsageError } from '#server/cli/command.ts'
import { inCount } from '#server/cli/progress.ts'
import { seed } from './seed.ts'

const PICTURES = 48
const MOST = 10_000_000

export const seedCommand: Command = {
  usage: `npm run seed -- --count N [--pictures P] [--rows-only]

Fills an empty library with N made-up files, for trials and benchmarks. The first P (${PICTURES}) are painted and taken in like an
upload; the others have rows of their own and share those pictures. A library with files or folders of real people is refused.
  --rows-only  rows alone for the files beyond the first P: faster, but they cannot be opened`,

  async run(call) {
    const flags = { count: { type: 'string' }, pictures: { type: 'string' }, 'rows-only': { type: 'boolean' } } as const
    const { values } = readArguments(call.args, flags, 0)
    const count = wholeNumber(values.count, 'How many files? Say --count N.')
    const pictures = wholeNumber(values.pictures ?? String(PICTURES), '--pictures takes a whole number.')
    await seed(call, { count, pictures, rowsOnly: values['rows-only'] ?? false })
    call.out.write(`The library holds ${inCount(count, 'made-up file')}. Start Heirloom with npm start.\n`)
    return 0
  },
}

function wholeNumber(text: string | undefined, otherwise: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > MOST) throw new UsageError(otherwise)
  return number
}
