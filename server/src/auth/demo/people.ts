export interface DemoPerson {
  subject: string
  name: string
  email: string
  emailVerified: boolean
  /** URL of their picture. */
  picture?: string
  /** How the page describes them. */
  about: string
}

/** The OIDC client id of the library at the demo provider. */
export const demoClientId = 'heirloom-demo'

/** A family for demos: an admin, two members and two people who still have to request access. */
export const demoFamily: DemoPerson[] = [
  person('ada', 'Ada Okafor', 'Admin: decides who gets in'),
  person('ben', 'Ben Okafor', 'Member: her brother'),
  person('rose', 'Grandma Rose', 'Member: keeps the stories'),
  person('kofi', 'Kofi Mensah', 'Stranger: a cousin who has to ask first'),
  person('ines', 'Inês Duarte', 'Stranger: a friend of the family'),
]

export const demoAdmins = ['ada@okafor.example']
export const demoMembers = ['ben@okafor.example', 'rose@okafor.example']

function person(subject: string, name: string, about: string): DemoPerson {
  return { subject, name, email: `${subject}@okafor.example`, emailVerified: true, about }
}
