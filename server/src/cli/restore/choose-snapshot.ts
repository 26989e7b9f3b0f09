import { refuseUnknownMigrations } from '../../db/migrate.ts'
import { hashFile } from '../../processing/hash.ts'
import { type BackupFolder, type Manifest, openForRestore, type SnapshotPaths } from '../backup/backup-folder.ts'
import { Refusal } from '../command.ts'

/** A snapshot that is as it was written, and that this program can read. */
export interface Chosen {
  backup: BackupFolder
  name: string
  paths: SnapshotPaths
  manifest: Manifest
}

export async function chooseSnapshot(folder: string, wanted: string | undefined): Promise<Chosen> {
  const backup = await openForRestore(folder)
  const names = await backup.snapshots()
  const name = wanted ?? names[0]
  if (!name) throw new Refusal(`No backup into ${folder} has ever been finished.`)
  const others = `There are: ${names.join(', ')}.`
  if (!names.includes(name)) throw new Refusal(`${folder} holds no snapshot ${name}. ${others}`)

  const manifest = await backup.manifestOf(name)
  refuseUnknownMigrations(manifest.schema, 'backup')
  const paths = backup.pathsOf(name)
  const whole =
    (await hashFile(paths.database)) === manifest.databaseHash && (await hashFile(paths.files)) === manifest.filesHash
  if (!whole) throw new Refusal(`The snapshot ${name} is damaged. Choose another with --snapshot. ${others}`)
  return { backup, name, paths, manifest }
}
