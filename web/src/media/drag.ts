/** MIME type of dragged files: a JSON list of their ids. */
export const DRAGGED_FILES = 'application/x-heirloom-files'
