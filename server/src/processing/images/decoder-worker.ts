import { serveTasks } from '../serve-tasks.ts'
import { checkVariant } from './check-variant.ts'
import { measureSource } from './source.ts'
import { makeVariants } from './variants.ts'

/** What a decoder process does. Only types of it may be imported: importing the file makes a process a decoder. */
const tasks = { makeVariants, checkVariant, measureSource }
export type DecoderTasks = typeof tasks

serveTasks(tasks)
