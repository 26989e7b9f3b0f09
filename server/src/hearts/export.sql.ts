import type { ExportedOfFile } from '../feature.ts'
import { LOVED } from '../media/public.ts'

/** The people who love a file. A username has no spaces. */
export const heartsInExport: ExportedOfFile = {
  query: ids =>
    `select media_id, username || ' ' || people.name from hearts join people on people.id = person_id where media_id in ${ids}
     order by created_at, person_id`,
  fields: texts => {
    const hearts = texts.map(text => {
      const end = text.indexOf(' ')
      return { name: text.slice(end + 1), username: text.slice(0, end) }
    })
    const isLoved = hearts.length > 0
    return {
      archive: { favorited: isLoved, ...(isLoved ? { rating: LOVED } : {}) },
      heirloom: { hearts },
      xmp: { lovedBy: hearts.map(({ name }) => name) },
    }
  },
}
