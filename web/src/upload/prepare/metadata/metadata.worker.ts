import { serve } from '../workers/serve.ts'
import { readMetadata } from './read-metadata.ts'

serve(readMetadata)
