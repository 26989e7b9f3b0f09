import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { compile } from '../messages/compile.ts'

/** Compiles message catalogues when they are imported, so that the pages need no parser of messages. */
export function messages(): Plugin {
  return {
    name: 'messages',
    enforce: 'pre',
    load: {
      filter: { id: /\/messages\/[a-z-]+\/[\w-]+\.json$/ },
      handler: id => ({
        code: `export default ${JSON.stringify(compile(JSON.parse(readFileSync(id, 'utf8'))))}`,
        moduleType: 'js',
        map: null,
      }),
    },
  }
}
