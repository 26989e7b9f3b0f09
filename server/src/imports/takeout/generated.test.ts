import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ImportReport } from '#contract/imports.ts'
import { emptyMachine, rowsOf, temporaryFolder } from '../../../test/cli-tools.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { type ZipEntry, zipOf } from '../../../test/fixtures/zip-files.ts'
import { noopLog } from '../../cli/command.ts'
import { createContext } from '../../context.ts'
import { systemClock } from '../../kit/clock.ts'
import { admit } from '../../people/public.ts'

const files = process.env.LONG ? 20_000 : 500

interface Expected {
  date: string | null
  loved: boolean
  album: string | null
  problem: string | null
}

/** Every quirk of Google's names, over and over. The parts are filled in turn, so that a sidecar is often in another one. */
async function generate(count: number) {
  const parts: ZipEntry[][] = [[], [], []]
  const expected = new Map<string, Expected>()
  const problems = new Map<string, string>()
  let written = 0
  const put = (path: string, bytes: Buffer) => {
    parts[written++ % parts.length]?.push({ name: `Takeout/Google Fotos/${path}`, bytes })
  }
  for (let i = 0; i < count; i++) {
    const picture = await makePicture({ number: 10_000 + i, width: 16, height: 12 })
    const isOld = i % 7 === 0
    const moment = (isOld ? -1 : 1) * (100_000_000 + i * 61)
    const loved = i % 3 === 0
    const album = i % 5 === 0 ? `Album ${i % 25}` : null
    const date = new Date(moment * 1000).toISOString().slice(0, 19)
    const year = `Fotos de ${date.slice(0, 4)} `
    const kind = i % 8
    const long = `Screenshot_of_a_very_long_name_${`${i}`.padStart(5, '0')}_com.example.app.jpg`.slice(0, 47)
    const name = kind === 1 ? `${long}.jpg` : kind === 2 ? `Bild(${i}).jpg` : `Foto_${i}_ä.jpg`
    const json = Buffer.from(
      JSON.stringify({
        title: kind === 2 ? 'Bild.jpg' : name,
        photoTakenTime: { timestamp: `${moment}` },
        geoData: { latitude: 0, longitude: 0 },
        favorited: loved,
      }),
    )
    const sidecarOf: Record<number, string> = {
      1: `${name.slice(0, 46)}.json`,
      2: `Bild.jpg.supplemental-metadata(${i}).json`,
      3: `${name}.json`,
      4: `${name}.suppl.json`,
    }
    const sidecar = sidecarOf[kind] ?? `${name}.supplemental-metadata.json`
    // Only in an album.
    const folder = kind === 3 && album ? album : year
    const facts = { date, loved, album, problem: null }
    put(`${folder}/${name}`, picture)
    if (kind === 5) expected.set(name, { ...facts, date: null, loved: false, problem: 'no-sidecar' })
    else if (kind === 6) {
      put(`${folder}/${sidecar}`, json.subarray(0, -9))
      problems.set(sidecar, 'broken-sidecar')
      expected.set(name, { ...facts, date: null, loved: false, problem: 'no-sidecar' })
    } else {
      put(`${folder}/${sidecar}`, json)
      expected.set(name, facts)
    }
    const entry = expected.get(name)
    if (!entry) continue
    if (album === null || kind === 5 || kind === 6) entry.album = null
    else {
      // The photo again with its sidecar, or its sidecar alone.
      if (folder === year && kind !== 7) put(`${album}/${name}`, picture)
      if (folder === year) put(`${album}/${sidecar}`, json)
    }
  }
  for (let n = 0; n < 25; n += 5) {
    put(`Album ${n}/Metadaten.json`, Buffer.from(JSON.stringify({ title: `Album ${n}`, description: '' })))
  }
  return { parts: parts.map(zipOf), expected, problems }
}

test(`a generated Takeout of ${files} photos arrives whole, also when its import is killed again and again`, {
  timeout: files * 400 + 120_000,
}, async () => {
  const config = await emptyMachine('sqlite')
  const context = await createContext(config, { clock: systemClock, log: noopLog })
  const ada = { issuer: 'https://id.example', subject: 'ada', email: 'ada@okafor.example', name: 'Ada' }
  const lists = { admins: ['ada@okafor.example'], members: [] }
  await context.db.transaction(tx => admit(context.db, systemClock, lists, tx, ada))
  await context.close()
  const { parts, expected, problems } = await generate(files)
  const folder = await temporaryFolder()
  const paths = parts.map((_, i) => join(folder, `takeout-${i}.zip`))
  await Promise.all(parts.map((bytes, i) => writeFile(paths[i] ?? '', bytes)))

  const program = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))
  const start = () => {
    const { PATH } = process.env
    const env = { PATH, DATA_DIR: config.dataFolder, HOME_TIMEZONE: 'UTC' }
    return spawn(process.execPath, [program, 'import', '/', 'takeout', ...paths], { env, stdio: 'ignore' })
  }
  const stored = async () => (await rowsOf(config, 'select id from media')).length
  for (const share of [0.2, 0.6]) {
    const child = start()
    const exited = once(child, 'exit')
    while (child.exitCode === null && (await stored()) < files * share) await pause(20)
    child.kill('SIGKILL')
    await exited
  }
  const last = start()
  expect((await once(last, 'exit'))[0]).toBe(0)

  expect(await stored()).toBe(files)
  const [row] = await rowsOf(config, `select report from imports where state = 'done'`)
  const report = ImportReport.parse(JSON.parse(String(row?.report)))
  const named = new Map(report.problems.map(({ path, reason }) => [path.split('/').at(-1), reason]))
  for (const [name, reason] of problems) expect(named.get(name), name).toBe(reason)
  const rows = await rowsOf(
    config,
    `select original_name, date_edtf, hearts.media_id as heart, title from media
       left join hearts on hearts.media_id = media.id left join album_files on album_files.media_id = media.id
       left join albums on albums.id = album_id`,
  )
  expect(rows).toHaveLength(files)
  for (const found of rows) {
    const name = String(found.original_name)
    const { date, loved, album, problem } = expected.get(name) ?? expect.unreachable(name)
    const facts = {
      date: found.date_edtf,
      loved: found.heart !== null,
      album: found.title,
      problem: named.get(name) ?? null,
    }
    expect(facts, name).toEqual({ date, loved, album, problem })
  }
  expect(report.problems).toHaveLength(problems.size + [...expected.values()].filter(({ problem }) => problem).length)
})
