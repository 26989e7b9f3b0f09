import { readArguments, UsageError } from '../command.ts'
import { inBytes } from '../progress.ts'
import { connectTo, type RemoteCommand, remoteFlags, remoteUsage } from './remote.ts'

export const searchCommand: RemoteCommand = {
  usage: `npm run heirloom -- search "WORDS" [--json] [--server URL] [--password PASSWORD]

Lists the photos and videos of a library that have these words in their name, caption, place, tags or notes, or are from the date that they
name: one line each, with id, date, size and name. --json writes all that the API says of each.
${remoteUsage}`,

  async runRemote(call) {
    const { values, words } = readArguments(
      call.args,
      { ...remoteFlags, json: { type: 'boolean' } },
      Number.POSITIVE_INFINITY,
    )
    if (words.length === 0) throw new UsageError('What should be found?')
    let count = 0
    for await (const file of connectTo(call, values).files({ search: words.join(' '), sort: 'date', order: 'desc' })) {
      call.signal.throwIfAborted()
      count++
      const { id, date, file_size, original_name } = file
      const line = [id, date ?? 'no date', inBytes(file_size), original_name].join('\t')
      call.out.write(`${values.json ? JSON.stringify(file) : line}\n`)
    }
    return count > 0 ? 0 : 1
  },
}
