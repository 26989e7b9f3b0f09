/// <reference types="vite/client" />
import type { CompiledCatalogue } from '#messages/compile.ts'

const files = import.meta.glob<CompiledCatalogue>('../../../../messages/de/*.json', { eager: true, import: 'default' })

/** All German messages, by the name of their catalogue. */
const catalogues: Partial<Record<string, CompiledCatalogue>> = Object.fromEntries(
  Object.entries(files).map(([path, catalogue]) => [path.replace(/^.*\/|\.json$/g, ''), catalogue]),
)
export default catalogues
