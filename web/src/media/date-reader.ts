import { region } from '../kit/messages.ts'

/** How dates that a person types are read: day and month in the order of their region, months also as the browser names them. */
export const dateReader = {
  language: region,
  otherLanguages: [new Intl.DateTimeFormat().resolvedOptions().locale],
}
