import { expect, test } from 'vitest'
import { emergencySheet } from '#contract/admin.ts'
import { onBothEngines } from '../../test/library.ts'

onBothEngines('the page for the drawer', library => {
  test('says where everything is, and holds no secret', async () => {
    const ada = await library().admin()
    const backup = {
      at: '2026-11-01T03:30:00.000Z',
      files: 3,
      bytes: 9,
      problems: 0,
      folder: '/mnt/disk',
      machine: 'pi',
    }
    await library().rows(`insert into settings (name, value) values ('last-backup', '${JSON.stringify(backup)}')`)
    const sheet = await ada.call(emergencySheet)
    const { config } = library()
    expect(sheet).toMatchObject({
      ...{ title: config.title, address: config.publicUrl.origin, data_folder: config.dataFolder },
      admins: [{ name: ada.person.name, email: ada.person.email }],
      database: { kind: config.databaseUrl === undefined ? 'sqlite' : 'postgres' },
      files: { kind: config.s3 === undefined ? 'folder' : 's3' },
      last_backup: backup,
    })
    const { s3, oidc, databaseUrl } = config
    const password = databaseUrl && new URL(databaseUrl).password
    for (const secret of [password, s3?.secretAccessKey, s3?.accessKeyId, oidc?.clientSecret]) {
      if (secret) expect(JSON.stringify(sheet)).not.toContain(secret)
    }
  })
})
