import { z } from 'zod'
import type { ImportKind } from '#contract/imports.ts'
import type { TreeOptions } from './archives/tree-part.ts'
import type { ImportPlan } from './plan.ts'
import { readTakeout } from './takeout/read-takeout.ts'

/** `source` is what the row of the import has, as JSON. */
export type ImportReader = (source: unknown, options: Omit<TreeOptions, 'isParsed' | 'parse'>) => Promise<ImportPlan>

const PathsSource = z.object({ paths: z.array(z.string()).min(1), again: z.boolean().default(false) })

/** Each reads one kind of source. */
export const readers: Record<ImportKind, ImportReader> = {
  takeout: (source, options) => readTakeout(PathsSource.parse(source).paths, options),
}
