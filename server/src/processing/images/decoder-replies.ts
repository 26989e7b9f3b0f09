import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { motionPhotos, type VariantName, variants } from '#contract/limits.ts'
import type { MadeAnimation } from '../animation.ts'
import { ProcessingError } from '../errors.ts'
import { formats } from '../formats.ts'
import type { ByteRange } from '../structure/file-window.ts'
import type { ImageFacts } from './source.ts'
import type { MadeImage, VariantCheck } from './variants.ts'

// A hostile file may have taken over the decoder, so its replies are validated like any untrusted input.

const side = z.number().int().min(1).max(1_000_000)
const thumbhash = z.base64().max(200)
const names = Object.keys(variants) as [VariantName, ...VariantName[]]
const pictureFormats = [formats.jpeg, formats.png]

const Measured = z.object({ size: z.object({ width: side, height: side }), hdr: z.boolean() })

const Verdict = z.union([
  z.object({
    ok: z.literal(true),
    width: side,
    height: side,
    mime: z.enum(pictureFormats.map(({ mime }) => mime)),
    thumbhash,
  }),
  z.object({ ok: z.literal(false), reason: z.string().max(1_000), tooComplex: z.boolean().optional() }),
])

const Frames = z.number().int().nonnegative()

const Inspected = z.object({ metadata: z.string().max(1_000).optional() })

const FoundClip = z
  .object({
    offset: z.number().int().positive(),
    length: z.number().int().positive().max(motionPhotos.embeddedClipBytes),
  })
  .nullable()

const Animation = z.object({ width: side, height: side }).nullable()

const Made = z.object({
  width: side,
  height: side,
  damaged: z.boolean(),
  thumbhash,
  variants: z
    .array(
      z.object({
        name: z.enum(names),
        width: side,
        height: side,
        mime: z.enum(pictureFormats.map(({ mime }) => mime)),
      }),
    )
    .max(names.length),
})

export function parseFacts(reply: unknown): ImageFacts {
  return parseReply(Measured, reply)
}

export function parseVariantCheck(reply: unknown): VariantCheck {
  return parseReply(Verdict, reply)
}

export function parseFrameCount(reply: unknown): number {
  return parseReply(Frames, reply)
}

/** The animation in a folder; undefined if there is none. */
export async function parseAnimation(path: string, reply: unknown): Promise<MadeAnimation | undefined> {
  const made = parseReply(Animation, reply)
  return made ? { ...made, size: await measureFile(path) } : undefined
}

export function parseDamage(reply: unknown): boolean {
  return parseReply(z.boolean(), reply)
}

export function parseInspection(reply: unknown): { metadata?: string | undefined } {
  return parseReply(Inspected, reply)
}

export function parseClip(reply: unknown, fileSize: number): ByteRange | undefined {
  const clip = parseReply(FoundClip, reply)
  if (clip && clip.offset + clip.length > fileSize) throw badReply('the clip is not inside the file')
  return clip ?? undefined
}

/** The variants in a folder. Their paths and sizes are determined here and not taken from the reply. */
export async function parseVariants(folder: string, reply: unknown): Promise<MadeImage> {
  const made = parseReply(Made, reply)
  const found = made.variants.map(async variant => {
    const format = pictureFormats.find(({ mime }) => mime === variant.mime)
    const path = join(folder, `${variant.name}.${format?.extension}`)
    return { ...variant, path, size: await measureFile(path) }
  })
  return { ...made, variants: await Promise.all(found) }
}

async function measureFile(path: string): Promise<number> {
  const file = await lstat(path).catch(() => undefined)
  if (!file?.isFile()) throw badReply(`there is no file ${path}`)
  return file.size
}

function parseReply<Reply>(schema: z.ZodType<Reply>, reply: unknown): Reply {
  const result = schema.safeParse(reply)
  if (result.success) return result.data
  throw badReply(result.error)
}

function badReply(cause: unknown): ProcessingError {
  return new ProcessingError('crashed', 'The decoder gave an invalid answer.', { cause })
}
