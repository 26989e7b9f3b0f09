import type { Plugin } from 'vite'
import wabt from 'wabt'

/** Compiles WebAssembly text: importing a .wat file returns the bytes of its module. */
export function wat(): Plugin {
  return {
    name: 'wat',
    async transform(text, id) {
      if (!id.endsWith('.wat')) return
      const { parseWat } = await wabt()
      const { buffer } = parseWat(id, text, { simd: true }).toBinary({})
      return { code: `export default new Uint8Array([${buffer}])`, moduleType: 'js', map: null }
    },
  }
}
