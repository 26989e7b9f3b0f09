import { serveTasks } from '../serve-tasks.ts'
import { findEmbeddedClip } from '../structure/embedded-clip.ts'
import { countFrames, inspectMetadata } from '../structure/inspect.ts'
import { checkVariant } from './check-variant.ts'
import { isPartlyDamaged } from './decode.ts'
import { measureSource } from './source.ts'
import { makeVariants } from './variants.ts'

/** What a decoder process does. Only types of it may be imported: importing the file makes a process a decoder. */
const tasks = {
  makeVariants,
  checkVariant,
  measureSource,
  isPartlyDamaged,
  inspectMetadata,
  countFrames,
  findEmbeddedClip,
}
export type DecoderTasks = typeof tasks

serveTasks(tasks)
