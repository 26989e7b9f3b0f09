import { serveTasks } from '../serve-tasks.ts'
import { findEmbeddedClip } from '../structure/embedded-clip.ts'
import { countFrames, inspectMetadata } from '../structure/inspect.ts'
import { isPartlyDamaged } from './decode.ts'
import { makeAnimation } from './make-animation.ts'
import { measureSource } from './source.ts'
import { checkVariant, makeVariants } from './variants.ts'

/** Entry point of decoder processes. Import only types from here: importing the file starts the task loop. */
const tasks = {
  makeVariants,
  makeAnimation,
  checkVariant,
  measureSource,
  isPartlyDamaged,
  inspectMetadata,
  countFrames,
  findEmbeddedClip,
}
export type DecoderTasks = typeof tasks

serveTasks(tasks)
