import { UsersRound } from 'lucide-react'
import { lazy } from 'react'
import english from '#messages/en/person-navigation.json' with { type: 'json' }
import type { Feature } from '../kit/feature.ts'
import { translated } from '../kit/messages.ts'

const PeoplePage = lazy(async () => ({ default: (await import('./PeoplePage.tsx')).PeoplePage }))
const PersonPage = lazy(async () => ({ default: (await import('./PersonPage.tsx')).PersonPage }))

/** Apart from the other texts, which the first screen does not need. */
const names = translated('person-navigation', english)

export const personFeature = {
  pages: [
    { path: '/people', Page: PeoplePage },
    { path: '/people/:id', Page: PersonPage },
  ],
  places: { people: { name: names.people, icon: UsersRound, to: '/people' } },
} satisfies Feature
