/** The address to which the share menu of a device posts photos and videos. Service workers answer it, and the server without one. */
export const shareTargetPath = '/share-target'

/** The field of that form with the files. */
export const sharedFilesField = 'files'

/** The parameter of the gallery's address that opens the upload dialog; empty: without files. */
export const uploadParameter = 'upload'

/** What became of shared files: they are on the device, did not fit on it, were none, or no service worker could take them. */
export const shareOutcomes = ['shared', 'full', 'empty', 'unavailable'] as const
export type ShareOutcome = (typeof shareOutcomes)[number]

export function uploadPath(outcome: ShareOutcome | ''): string {
  return `/?${uploadParameter}=${outcome}`
}
