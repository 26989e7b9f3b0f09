import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { type EmergencySheet, emergencySheet } from '#contract/admin.ts'
import { type Database, sqliteFile } from '../db/database.ts'
import { serve } from '../kit/serve.ts'
import { approvedAdmins } from '../people/public.ts'
import { lastBackup, version } from './overview.ts'

export interface EmergencySheetDeps {
  db: Database
  config: {
    title: string
    publicUrl: URL
    dataFolder: string
    databaseUrl: string | undefined
    s3: { bucket: string; endpoint: URL | undefined } | undefined
  }
}

const programFolder = fileURLToPath(new URL('../../../', import.meta.url))

/** Of the settings only what contains no password. */
export function emergencySheetRoute(app: FastifyInstance, { db, config }: EmergencySheetDeps): void {
  const { title, publicUrl, dataFolder } = config
  serve(app, emergencySheet, async () => {
    const [admins, backup] = await Promise.all([approvedAdmins(db.query), lastBackup(db.query)])
    return {
      ...{ title, admins, address: publicUrl.origin, version: String(version) },
      ...{ machine: hostname(), program_folder: programFolder, data_folder: dataFolder },
      database: databaseOf(config),
      files: filesOf(config),
      last_backup: backup ?? null,
    }
  })
}

function databaseOf({ databaseUrl, dataFolder }: EmergencySheetDeps['config']): EmergencySheet['database'] {
  if (databaseUrl === undefined) return { kind: 'sqlite', file: sqliteFile(dataFolder) }
  // Some addresses that Postgres accepts are no URLs.
  const url = URL.parse(databaseUrl)
  return { kind: 'postgres', host: url?.host ?? '', name: decodeURIComponent(url?.pathname.slice(1) ?? '') }
}

function filesOf({ s3, dataFolder }: EmergencySheetDeps['config']): EmergencySheet['files'] {
  if (s3 === undefined) return { kind: 'folder', folder: `${dataFolder}/files` }
  return { kind: 's3', bucket: s3.bucket, endpoint: s3.endpoint?.origin ?? null }
}
