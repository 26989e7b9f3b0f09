export { addImportedComment, removeImportedComments } from './imported-comments.ts'
export { albumSubject, mediaSubject } from './subjects.ts'
