import type { Messages } from '#messages/types.ts'

export interface DemoPerson {
  subject: string
  name: string
  email: string
  emailVerified: boolean
  /** URL of their picture. */
  picture?: string
  /** How the page describes them. */
  about: keyof Messages['server-pages']['demo']['people']
}

/** The OIDC client id of the library at the demo provider. */
export const demoClientId = 'heirloom-demo'

/** A family for demos: an admin, two members and two people who still have to request access. */
export const demoFamily: DemoPerson[] = [
  person('ada', 'Ada Okafor', 'admin'),
  person('ben', 'Ben Okafor', 'brother'),
  person('rose', 'Grandma Rose', 'grandma'),
  person('kofi', 'Kofi Mensah', 'cousin'),
  person('ines', 'Inês Duarte', 'friend'),
]

export const demoAdmins = ['ada@okafor.example']
export const demoMembers = ['ben@okafor.example', 'rose@okafor.example']

function person(subject: string, name: string, about: DemoPerson['about']): DemoPerson {
  return { subject, name, email: `${subject}@okafor.example`, emailVerified: true, about }
}
