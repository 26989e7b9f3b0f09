export type { AppPasswords } from './app-passwords.ts'
