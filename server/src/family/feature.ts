import { listFamily } from '#contract/family.ts'
import type { Feature } from '../feature.ts'
import { serve } from '../kit/serve.ts'
import { type FamilyDeps, familyMembers } from './family.ts'

/** The page of all people. Apart from `people`, which the features whose data it shows depend on. */
export const familyFeature = {
  routes: (app, deps) => serve(app, listFamily, ({ caller }) => familyMembers(deps, caller)),
} satisfies Feature<FamilyDeps>
