import { z } from 'zod'

/**
 * To be imported before any schema is made: where one is, Zod tries whether it may compile parsers with `new Function`,
 * and the pages' security policy reports that as a violation.
 */
z.config({ jitless: true })
