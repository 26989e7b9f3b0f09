import type { FastifyInstance } from 'fastify'
import {
  addTag as addTagEndpoint,
  listTags,
  removeTag as removeTagEndpoint,
  tagFiles as tagFilesEndpoint,
  tagsOfFile as tagsOfFileEndpoint,
  untagFiles as untagFilesEndpoint,
} from '#contract/tags.ts'
import { serve } from '../kit/serve.ts'
import { usedTags } from './tags.sql.ts'
import { addTag, removeTag, type TagDeps, tagFiles, tagsOfFile, untagFiles } from './tags.ts'

export function tagRoutes(app: FastifyInstance, deps: TagDeps): void {
  const { db } = deps
  serve(app, listTags, () => usedTags(db.query))
  serve(app, tagsOfFileEndpoint, ({ params }) => tagsOfFile(db.query, params.id))
  serve(app, addTagEndpoint, ({ caller, params, body }) => addTag(deps, caller.id, params.id, body.tagName))
  serve(app, tagFilesEndpoint, ({ caller, body }) => tagFiles(deps, caller.id, body))
  serve(app, untagFilesEndpoint, ({ caller, body }) => untagFiles(deps, caller.id, body))
  serve(app, removeTagEndpoint, ({ caller, params }) => removeTag(deps, caller.id, params.id, params.tagId))
}
