import { z } from 'zod'
import { BoundsInText, Latitude, Longitude } from './bounds.ts'
import { Continues, changeAnswer } from './changes.ts'
import { Id, inText } from './common.ts'
import { endpoint } from './endpoint.ts'
import { map } from './limits.ts'
import { ChangedFileIds } from './media.ts'

export const Cover = z.object({
  media_id: Id,
  thumbnail_url: z.string().nullable(),
  thumbhash: z.string().nullable(),
})
export type Cover = z.infer<typeof Cover>

const Cluster = z.object({
  latitude: Latitude.describe('The middle of its files'),
  longitude: Longitude,
  count: z.number().int().positive(),
  bounds: BoundsInText.describe('Around its files: the filter `bounds` of the lists'),
  cover: Cover.describe('Its file that was added last, of those that are ready'),
  place: z.string().nullable().describe('The town that most of its files are in, or their state or country'),
  elsewhere: z.boolean().describe('Whether some of its files are in other places than that'),
})
export type Cluster = z.infer<typeof Cluster>

export const mapClusters = endpoint({
  method: 'GET',
  path: '/api/map/clusters',
  summary: 'The files in a part of the map, those close to each other as one',
  act: 'media.see',
  serializedPerPerson: true,
  query: z.object({
    bounds: BoundsInText,
    zoom: inText(z.number().int().min(0).max(map.maxZoom)).describe(
      'As of web maps: the world is 256 · 2^zoom px wide',
    ),
  }),
  answer: z.array(Cluster).describe('Most files first'),
})

export const mapExtent = endpoint({
  method: 'GET',
  path: '/api/map/extent',
  summary: 'The part of the map that has files',
  act: 'media.see',
  serializedPerPerson: true,
  answer: z.object({ bounds: BoundsInText.nullable().describe('Null where no file has a place') }),
})

export const mapTowns = endpoint({
  method: 'GET',
  path: '/api/map/towns',
  summary: 'Towns to label in a part of the map, those with most people first',
  act: 'media.see',
  serializedPerPerson: true,
  query: z.object({ bounds: BoundsInText }),
  answer: z.array(z.object({ name: z.string(), latitude: Latitude, longitude: Longitude })),
})
export type Town = z.infer<typeof mapTowns.answer>[number]

const Area = z.object({
  name: z.string(),
  area: z.string().describe('The filter `area` of the lists'),
  count: z.number().int().positive(),
  cover: Cover,
})

const Country = Area.extend({
  towns: z.array(Area).describe('With their quarters, most files first'),
  town_count: z.number().int().nonnegative().describe('Of all its towns'),
})
export type Country = z.infer<typeof Country>

export const listPlaces = endpoint({
  method: 'GET',
  path: '/api/places',
  summary: 'The countries and towns where files were taken, most files first',
  act: 'media.see',
  offline: true,
  serializedPerPerson: true,
  answer: z.array(Country),
})

export const correctPlaces = endpoint({
  method: 'POST',
  path: '/api/media/places',
  summary:
    'Set or clear the place of many files at once. The originals stay as they are; files already gone are skipped',
  act: 'media.edit',
  serializedPerPerson: true,
  body: z.object({
    fileIds: ChangedFileIds,
    place: z
      .union([z.object({ latitude: Latitude, longitude: Longitude }), z.literal('camera')])
      .nullable()
      .describe('Null clears it; `camera` gives back what the camera said'),
    continues: Continues,
  }),
  answer: z.object({
    ...changeAnswer,
    location: z.string().nullable().describe('The name of the place'),
  }),
})

const FoundPlace = z.object({
  name: z.string(),
  region: z.string().nullable().describe('State and country'),
  latitude: Latitude,
  longitude: Longitude,
  zone: z.string().nullable().describe('Its time zone: Europe/Lisbon'),
})
export type FoundPlace = z.infer<typeof FoundPlace>

export const searchPlaces = endpoint({
  method: 'GET',
  path: '/api/places/search',
  summary:
    'Towns and villages whose names, in any language, begin with these letters, those with most people first. After a comma, only those in that county, state or country',
  act: 'media.see',
  serializedPerPerson: true,
  query: z.object({ name: z.string().trim().min(1).max(100) }),
  answer: z.array(FoundPlace),
})
