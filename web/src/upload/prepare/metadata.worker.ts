import { readMetadata } from './read-metadata.ts'
import { serveTask } from './worker-pool.ts'

serveTask(readMetadata)
