import { serve } from '../workers/serve.ts'
import { makeVariants } from './make-variants.ts'

serve(makeVariants)
