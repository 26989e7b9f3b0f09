import type { ExportedOfFile } from '../feature.ts'

/** The names of the people who love a file. */
export const heartsInExport: ExportedOfFile = {
  query: ids =>
    `select media_id, people.name from hearts join people on people.id = person_id where media_id in ${ids}
     order by created_at, person_id`,
  fields: names => ({ archive: { favorited: names.length > 0 }, heirloom: { hearts: names } }),
}
