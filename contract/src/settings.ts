import { z } from 'zod'
import { asName, isVisible } from './common.ts'
import { endpoint } from './endpoint.ts'
import { features } from './features.ts'
import { lengths, pictures } from './limits.ts'
import { SortField } from './media-list.ts'
import { Language, StartView } from './people.ts'
import { refusal } from './refusal.ts'

/** The notifications that a person can switch off. */
export const MutableKind = z.enum(Object.values(features).flatMap(({ mutable }) => [...mutable]))
export type MutableKind = z.infer<typeof MutableKind>

/** What a person can switch on. */
export const OptionalKind = z.enum(['memories'])
export type OptionalKind = z.infer<typeof OptionalKind>

const ShownName = z
  .string()
  .overwrite(asName)
  .max(lengths.personName, refusal('people.nameTooLong', { count: lengths.personName }))
  .refine(isVisible, refusal('people.nameMissing'))

export const MySettings = z.object({
  name: z.string(),
  provider_name: z.string().describe('The name at the identity provider'),
  own_picture: z.boolean().describe('True: the person has uploaded it'),
  muted: z.array(MutableKind).describe('The notifications that they do not want'),
  wanted: z.array(OptionalKind).describe('The notifications that they have switched on'),
  start_view: StartView.nullable().describe('Null: as the device last showed it'),
  start_sort: SortField,
  language: Language.nullish().describe('Of pages and notifications; null: as the device'),
})
export type MySettings = z.infer<typeof MySettings>

export const mySettings = endpoint({
  method: 'GET',
  path: '/api/me/settings',
  summary: "The caller's settings",
  act: 'session.use',
  offline: true,
  answer: MySettings,
})

export const changeMySettings = endpoint({
  method: 'PATCH',
  path: '/api/me/settings',
  summary: "Change some of the caller's settings",
  act: 'session.use',
  body: z
    .object({
      name: ShownName.nullable().describe('Null: the name at the identity provider'),
      muted: z.array(MutableKind).max(MutableKind.options.length),
      wanted: z.array(OptionalKind).max(OptionalKind.options.length),
      start_view: StartView.nullable(),
      start_sort: SortField,
      language: Language.nullable(),
    })
    .partial(),
  answer: MySettings,
})

export const closeMyAccount = endpoint({
  method: 'POST',
  path: '/api/me/close',
  summary: "Close the caller's account for good: what they added and wrote stays in the library",
  act: 'session.use',
  body: z.object({
    username: z.string().max(200).describe("The caller's, typed as a confirmation: 422 if it is another"),
    keep_name: z.boolean().describe('False: they are called a former member everywhere'),
  }),
})

/** Small, so that it fits into an ordinary call: the page sends a square of a few hundred pixels. */
export const setMyPicture = endpoint({
  method: 'PUT',
  path: '/api/me/picture',
  summary: "Show this picture as the caller's, instead of the one at the identity provider",
  act: 'session.use',
  serializedPerPerson: true,
  body: z.object({
    image: z
      .base64(refusal('picture.noPicture'))
      .min(1, refusal('picture.noPicture'))
      .max(Math.ceil((pictures.ownBytes * 4) / 3), refusal('picture.tooLarge')),
  }),
})

export const removeMyPicture = endpoint({
  method: 'DELETE',
  path: '/api/me/picture',
  summary: 'Show the picture at the identity provider again',
  act: 'session.use',
})
