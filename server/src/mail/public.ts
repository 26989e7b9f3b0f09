export { selectUploaders } from './digest.sql.ts'
export { createOutbox, type Outbox } from './outbox.ts'
