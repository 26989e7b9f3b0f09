import { texts } from '../texts.ts'
import { openVideo } from './probe.ts'

/** What a converted video has to have. */
export interface Expected {
  readonly sound: boolean
  /** Unknown where the original could not be measured. */
  readonly seconds: number | null
}

/** A conversion may drop a frame or two at either end, and no more. */
const TOLERATED_SECONDS = 1
const TOLERATED_SHARE = 0.02

/** Looks into what was written; says what is lost, if anything is. */
export async function findLoss(mp4: Blob, expected: Expected): Promise<string | undefined> {
  const made = await openVideo(mp4)
  if (!made) return texts.leftToServer.pictureLost
  if (expected.sound && !made.sound) return texts.leftToServer.soundLost
  if (expected.seconds === null) return undefined
  const missing = expected.seconds - (await made.input.computeDuration())
  return missing > TOLERATED_SECONDS + TOLERATED_SHARE * expected.seconds ? texts.leftToServer.partLost : undefined
}
