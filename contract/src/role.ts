import { z } from 'zod'

/** `features.ts` says what each may do. */
export const Role = z.enum(['viewer', 'member', 'admin'])
export type Role = z.infer<typeof Role>
