import { DAY, HOUR } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { diskOf, lastBackup } from '../metrics/public.ts'
import { approvedAdminIds } from '../people/public.ts'
import { damagedFiles, deleteAlerts, firstUpload, insertAlerts, knownAlerts } from './alerts.sql.ts'
import { diskNameOf } from './disk-name.ts'
import type { Outbox, Problem } from './outbox.ts'

const alerts = defineJob<null>('mail.alerts', { everyMs: HOUR })

const OLD_BACKUP = 7 * DAY
/** As on the admin page. It must be well above before it can be almost full again. */
const LITTLE_DISK = 0.05
const ENOUGH_DISK = 0.07
/** File names in a mail. */
const NAMES = 5

export interface AlertDeps {
  db: Database
  clock: Clock
  outbox: Pick<Outbox, 'add'>
  dataFolder: string
  /** The file in it that names its disk. */
  diskFile: string
}

/** Mails the admins once of each problem, and again only if it was solved in between. */
export function handleAlerts(queue: Queue, deps: AlertDeps): void {
  const { db, clock, outbox } = deps
  queue.handle(alerts, {
    async run() {
      const [backup, disk, diskName, damaged] = await Promise.all([
        oldBackup(deps),
        diskOfServer(deps),
        diskNameOf(deps.diskFile),
        damagedFiles(db.query),
      ])
      await db.transaction(async tx => {
        await db.advisoryLock(tx, 'mail-alerts')
        const known = new Set(await knownAlerts(tx))
        const isFull = disk !== null && disk.free < disk.total * (known.has(diskName) ? ENOUGH_DISK : LITTLE_DISK)
        const nameOf = (id: number) => `damaged:${id}`
        const now = new Set([
          ...(backup ? ['backup'] : []),
          ...(isFull ? [diskName] : []),
          ...damaged.map(({ id }) => nameOf(id)),
        ])
        // Other servers look at disks of their own.
        const solved = [...known].filter(name => !now.has(name) && (name === diskName || !name.startsWith('disk:')))
        await deleteAlerts(tx, solved)
        const added = new Set([...now].filter(name => !known.has(name)))
        if (added.size === 0) return
        await insertAlerts(tx, [...added], clock())
        const newlyDamaged = damaged.filter(({ id }) => added.has(nameOf(id)))
        const problems: Problem[] = []
        if (backup && added.has('backup')) problems.push({ kind: 'backup', at: backup.at })
        if (disk && added.has(diskName)) problems.push({ kind: 'disk', ...disk })
        if (newlyDamaged.length > 0) {
          const names = newlyDamaged.slice(0, NAMES).map(({ original_name }) => original_name)
          problems.push({ kind: 'damaged', count: newlyDamaged.length, names })
        }
        for (const to of await approvedAdminIds(tx)) await outbox.add(tx, 'alert', { problems }, { to })
      })
    },
  })
}

/** Undefined if the last backup is new enough, or if nothing has been there for long enough to be backed up. */
async function oldBackup({ db, clock }: AlertDeps): Promise<{ at: number | null } | undefined> {
  const before = clock() - OLD_BACKUP
  const [backup, first] = await Promise.all([lastBackup(db.query), firstUpload(db.query)])
  if (backup) return Date.parse(backup.at) < before ? { at: Date.parse(backup.at) } : undefined
  return first !== null && first < before ? { at: null } : undefined
}

async function diskOfServer({ dataFolder }: AlertDeps): Promise<{ free: number; total: number } | null> {
  try {
    return await diskOf(dataFolder)
  } catch {
    // Unknown, as on the admin page.
    return null
  }
}
