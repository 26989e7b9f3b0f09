export { createNotified } from './pushes.ts'
