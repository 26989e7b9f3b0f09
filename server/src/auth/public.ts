export type { AppCaller, AppPasswords } from './app-passwords.ts'
