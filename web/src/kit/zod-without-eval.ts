import { z } from 'zod'

/**
 * Must be imported before any schema is created: Zod otherwise tries to compile parsers with `new Function`, which the
 * Content-Security-Policy reports as a violation.
 */
z.config({ jitless: true })
