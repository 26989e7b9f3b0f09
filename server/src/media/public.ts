export { countsByFolder } from './counts.sql.ts'
export { emptyFolder } from './folder-contents.sql.ts'
