/**
 * The cost of ingesting a photo of 12 megapixels: variants, placeholder, metadata and hash, in CPU-seconds of all
 * processes together, beside a bare loop of sharp that makes the same four files with a decode for each. Then photos a
 * second through the running product (server-side uploads, import), beside that loop on every core at the same low
 * priority; and how long requests take while uploads are prepared, beside an idle server. PHOTOS, ROUNDS and RUNS set
 * other numbers.
 */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { variants } from '../contract/src/limits.ts'
import { hashFile } from '../server/src/processing/hash.ts'
import { startProcessing } from '../server/src/processing/processing.ts'
import { openSandbox } from '../server/src/processing/sandbox/open-sandbox.ts'
import { drawPhoto } from '../server/test/processing/pictures.ts'
import { alternately, line, median } from './lib/report.ts'
import {
  type BareThroughput,
  bareThroughput,
  copiesOf,
  importThroughput,
  type Throughput,
  uploadThroughput,
} from './lib/throughput.ts'

const GOAL = 0.85
const THROUGHPUT_GOAL = 0.8
const REQUESTS_GOAL = 2
const ROUNDS = Number(process.env.ROUNDS ?? 8)
const RUNS = Number(process.env.RUNS ?? 3)
const PHOTOS = Number(process.env.PHOTOS ?? 40)
const SIZE = { width: 4_032, height: 3_024 }

const folder = await mkdtemp(join(tmpdir(), 'heirloom-bench-'))
const { sandbox } = await openSandbox({
  mode: process.env.SANDBOX === 'off' ? 'off' : 'auto',
  folder: join(folder, 'sandbox'),
  hidden: [],
  searchPath: process.env.PATH,
})
const log = (sentence: string, cause: unknown) => console.error(sentence, cause)
const processing = startProcessing({ decoders: 1, sandbox, warn: log, log })
try {
  const drawn = await drawPhotos()
  await compareCpu(drawn).finally(() => processing.close())
  await compareThroughput(drawn.sRGB)
} finally {
  await rm(folder, { recursive: true })
}

async function compareCpu(photos: Record<string, string>): Promise<void> {
  for (const [colours, path] of Object.entries(photos)) {
    if (ROUNDS === 0) return
    await ingest(path)
    const spent = await alternately(
      ROUNDS,
      () => cpuSeconds(() => ingest(path)),
      () => cpuSeconds(() => bareLoop(path)),
    )
    const [ours, limit] = [median(spent.ours), median(spent.limit)]
    const ratio = ours / limit
    const measured = `${ours.toFixed(2)} CPU-s a photo, ${ratio.toFixed(2)} of a bare loop of sharp (${limit.toFixed(2)})`
    line(`ingest, 12 MP in ${colours}`, measured, `at most ${GOAL}`, ratio <= GOAL)
  }
}

async function compareThroughput(photo: string): Promise<void> {
  const source = join(folder, 'source')
  const photos = await copiesOf(photo, PHOTOS, source)
  for (const [how, run] of Object.entries({
    'server-side uploads': () => uploadThroughput(photos),
    import: () => importThroughput(photos, source),
  })) {
    const { ours, limit } = await alternately(RUNS, run, () => bareThroughput(photos))
    const ratio = median(ours.map(({ perSecond }, i) => perSecond / (limit[i]?.perSecond ?? 0)))
    const middle = (value: (run: Throughput) => number) => median(ours.map(value)).toFixed(2)
    const bare = (value: (run: BareThroughput) => number) => median(limit.map(value)).toFixed(2)
    line(
      `${how}, photos a second`,
      `${middle(run => run.perSecond)}, ${ratio.toFixed(2)} of bare sharp (${bare(run => run.perSecond)}); ` +
        `${middle(run => run.cpuPerPhoto)} CPU-s a photo (bare ${bare(run => run.cpuPerPhoto)}), ` +
        `at most ${middle(run => run.mostMemoryMb)} MB`,
      `at least ${THROUGHPUT_GOAL}`,
      ratio >= THROUGHPUT_GOAL,
    )
    const requests = ours.flatMap(run => run.requests ?? [])
    if (requests.length === 0) continue
    const [idle, busy] = [median(requests.map(({ idle }) => idle)), median(requests.map(({ busy }) => busy))]
    const slower = median(requests.map(({ idle, busy }) => busy / idle))
    const measured = `p95 of ${busy.toFixed(1)} ms, ${slower.toFixed(2)} of idle (${idle.toFixed(1)} ms)`
    line(`requests during ${how}`, measured, `at most ${REQUESTS_GOAL}`, slower <= REQUESTS_GOAL)
  }
}

async function drawPhotos() {
  const photo = await drawPhoto(SIZE.width, SIZE.height)
  const paths = { sRGB: join(folder, 'srgb.jpg'), 'Display P3': join(folder, 'p3.jpg') }
  const exif = { IFD0: { Make: 'Canon', Model: 'Canon EOS 7D' }, IFD2: { DateTimeOriginal: '2024:06:01 12:34:56' } }
  await photo.clone().withExif(exif).jpeg({ quality: 92 }).toFile(paths.sRGB)
  await photo.clone().withExif(exif).withIccProfile('p3').jpeg({ quality: 92 }).toFile(paths['Display P3'])
  return paths
}

async function ingest(path: string): Promise<void> {
  await hashFile(path)
  await processing.readMetadata(path)
  await processing.makeVariants({ path, format: 'jpeg', outDir: join(folder, 'ours') })
}

async function bareLoop(path: string): Promise<void> {
  await mkdir(join(folder, 'bare'), { recursive: true })
  for (const [name, { maxSize, quality }] of Object.entries(variants)) {
    if (name === 'full') continue
    await sharp(path)
      .autoOrient()
      .resize(maxSize, maxSize, { fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: Math.round(quality * 100) })
      .toFile(join(folder, 'bare', `${name}.jpg`))
  }
}

/** CPU time of this process and of all that it started and that still run. */
async function cpuSeconds(work: () => Promise<void>): Promise<number> {
  const before = await cpuOfDescendants()
  const own = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(own)
  return (user + system) / 1e6 + (await cpuOfDescendants()) - before
}

async function cpuOfDescendants(): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const family = new Set([process.pid])
  let total = 0
  // A child's pid is nearly always above its parent's, so one pass in order finds grandchildren too.
  for (const pid of pids.sort((a, b) => a - b)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
    const fields = stat
      ?.slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    if (!fields || !family.has(fields[1] ?? 0)) continue
    family.add(pid)
    total += ((fields[11] ?? 0) + (fields[12] ?? 0)) / 100
  }
  return total
}
