import { ProcessingError, type ProcessingFailure } from '../errors.ts'
import { type FfmpegResult, printableTail } from './run-ffmpeg.ts'

type FailedStep = 'read' | 'converted' | 'shown'

const messages: Record<FailedStep, string> = {
  read: 'The video could not be read',
  converted: 'The video could not be converted',
  shown: 'No picture could be taken from the video',
}

/** What ffmpeg says, and what that means. The first match counts: later ones are more general. */
const knownErrors: { said: RegExp; failure: ProcessingFailure; because: string }[] = [
  { said: /No space left on device/, failure: 'no_space', because: 'the disk is full' },
  // Of the machine, which may have enough later. What a video may take is limited by watchProcess.
  { said: /Cannot allocate memory/, failure: 'crashed', because: 'there was not enough memory' },
  { said: /not on whitelist|not on white list/i, failure: 'unreadable', because: 'it is not a video file' },
  {
    said: /moov atom not found|ended prematurely|partial file|truncat|: End of file/i,
    failure: 'unreadable',
    because: 'it seems to be cut off',
  },
  {
    said: /Decoder \(codec \S+\) not found|no decoder found|unknown decoder|unsupported type/i,
    failure: 'unreadable',
    because: 'its picture or sound is in a format that is not known here',
  },
  { said: /Unknown encoder/, failure: 'crashed', because: 'the video program on this server lacks an encoder' },
  { said: /Picture size \S+ is invalid/, failure: 'too_large', because: 'its picture is too large' },
  {
    said: /Invalid data found|Error while (opening decoder|decoding)|corrupt|could not find codec parameters/i,
    failure: 'unreadable',
    because: 'it is damaged',
  },
]

/** The error for an ffmpeg that failed by itself: a sentence for people, with ffmpeg's last words as its cause. */
export function ffmpegError(act: FailedStep, outcome: FfmpegResult): ProcessingError {
  const cause = new Error(`ffmpeg ended with ${outcome.ending}: ${printableTail(outcome.stderr)}`)
  if (outcome.ending.startsWith('SIG')) {
    return new ProcessingError('crashed', `${messages[act]}: the video program broke down over it.`, { cause })
  }
  const meaning = knownErrors.find(({ said }) => said.test(outcome.stderr))
  if (!meaning) return new ProcessingError('crashed', `${messages[act]}.`, { cause })
  return new ProcessingError(meaning.failure, `${messages[act]}: ${meaning.because}.`, { cause })
}
