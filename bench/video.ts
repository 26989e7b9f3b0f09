/**
 * The cost of making a video of a phone (HEVC) playable, in CPU-seconds of all processes together: what the product
 * does (probe, convert, verify, in the sandbox) beside a bare ffmpeg that encodes the same. Then how long it takes until
 * the poster of a video can be seen. ROUNDS sets another number.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openSandbox } from '../server/src/processing/sandbox/open-sandbox.ts'
import { convertVideo } from '../server/src/processing/video/convert.ts'
import { makePoster } from '../server/src/processing/video/poster.ts'
import { probeVideo } from '../server/src/processing/video/probe.ts'
import { ffmpegUnderTest, sound } from '../server/test/processing/video-clips.ts'
import { alternately, line, median } from './lib/report.ts'

const GOAL = 1.2
const POSTER_GOAL = 3
const ROUNDS = Number(process.env.ROUNDS ?? 3)

const folder = await mkdtemp(join(tmpdir(), 'heirloom-bench-'))
const { sandbox } = await openSandbox({
  mode: process.env.SANDBOX === 'off' ? 'off' : 'auto',
  folder: join(folder, 'sandbox'),
  hidden: [],
  searchPath: process.env.PATH,
})
const ffmpeg = await ffmpegUnderTest(sandbox)
const run = promisify(execFile)

const clips = [
  { name: 'five seconds of Full HD', size: '1920x1080', seconds: 5, maxSize: undefined, scaled: '1920:1080' },
  { name: 'the clip of a Live Photo', size: '1440x1080', seconds: 2, maxSize: 1_280, scaled: '1280:960' },
]

try {
  for (const { name, size, seconds, maxSize, scaled } of clips) {
    const path = join(folder, `${size}.mov`)
    const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=${seconds}`, ...sound(seconds)]
    const hevc = ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-preset', 'ultrafast', '-tag:v', 'hvc1']
    await run(ffmpeg.path, [...['-loglevel', 'error'], ...picture, '-vf', 'noise=alls=8:allf=t', ...hevc, path])
    const outPath = join(folder, 'out.mp4')
    const ours = async () => {
      const probe = await probeVideo(path, { ffmpeg })
      await convertVideo({ ffmpeg, path, probe, plan: { act: 'transcode' }, maxSize, outPath })
    }
    const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-threads', '2', '-pix_fmt', 'yuv420p']
    const bare = ['-loglevel', 'error', '-threads', '2', '-i', path, '-vf', `scale=${scaled}`, ...h264]
    const spent = await alternately(
      ROUNDS,
      () => cpuSeconds(ours),
      () => cpuSeconds(() => run(ffmpeg.path, [...bare, '-c:a', 'aac', '-b:a', '128k', '-y', outPath])),
    )
    const [own, limit] = [median(spent.ours), median(spent.limit)]
    const measured = `${own.toFixed(2)} CPU-s, ${(own / limit).toFixed(2)} of bare ffmpeg (${limit.toFixed(2)})`
    line(`converting ${name} in HEVC`, measured, `at most ${GOAL}`, own / limit <= GOAL)

    const poster = await cpuSeconds(async () => {
      const probe = await probeVideo(path, { ffmpeg })
      await makePoster({ ffmpeg, path, probe, outPath: join(folder, 'poster.jpg') })
    })
    line(`poster of ${name}`, `${poster.toFixed(2)} CPU-s`, `at most ${POSTER_GOAL}`, poster <= POSTER_GOAL)
  }
} finally {
  await rm(folder, { recursive: true })
}

/** CPU time of this process and of the programs that it started and that have ended. */
async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const own = process.cpuUsage()
  const before = await cpuOfEndedChildren()
  await work()
  const { user, system } = process.cpuUsage(own)
  return (user + system) / 1e6 + (await cpuOfEndedChildren()) - before
}

async function cpuOfEndedChildren(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
