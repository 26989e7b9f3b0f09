export { createOutbox, type Outbox } from './outbox.ts'
