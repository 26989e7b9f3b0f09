import {
  claimDevice,
  eraseDevice,
  mayShow,
  readAnswer,
  readKeeper,
  type SavedAnswer,
  updateKeeper,
  writeAnswers,
} from './device-store.ts'
import { logError } from './log.ts'
import { endPushHere } from './push-here.ts'
import { eraseSharedFiles } from './shared-files.ts'
import { clearSessionPerson, onTokenChange, readSessionPerson, readToken, setSessionPerson } from './token.ts'

/**
 * The latest answers of the server, kept on this device for the signed-in person. A page opens with them before the
 * network answers, and shows them while the server cannot be reached.
 */

/** Undefined if there is none, or none that may be shown. */
export async function savedAnswer(address: string): Promise<Pick<SavedAnswer, 'text' | 'savedAt'> | undefined> {
  const person = readSessionPerson()
  if (person === null) return
  try {
    if (!mayShow(await readKeeper(), person)) return
    return await readAnswer(address)
  } catch (error) {
    logError('Saved answers cannot be read', error)
    return
  }
}

/** With the token of the session that each answer belongs to. */
let waiting: { token: string; answer: SavedAnswer }[] = []
const WRITE_DELAY = 500

/** Kept for the person of this token, if it still is the session's when it is written. Never delays the caller. */
export function saveAnswer(token: string, address: string, text: string): void {
  if (typeof indexedDB === 'undefined') return
  if (waiting.length === 0) setTimeout(() => void write(), WRITE_DELAY)
  waiting.push({ token, answer: { address, text, savedAt: Date.now() } })
}

async function write(): Promise<void> {
  const [token, person] = [readToken(), readSessionPerson()]
  // One that arrives late may belong to the person who was signed in before.
  const answers = waiting.filter(one => one.token === token).map(one => one.answer)
  waiting = []
  if (person === null || answers.length === 0) return
  // A sign-out erases the device, also between two steps of this.
  const isStillSignedIn = () => readToken() === token && readSessionPerson() === person
  try {
    await recordContact(person, isStillSignedIn)
    if (isStillSignedIn()) await writeAnswers(answers)
  } catch (error) {
    // The device is full, or keeps nothing for this page.
    logError('Answers cannot be saved', error)
  }
}

const CONTACT_INTERVAL = 60 * 60_000

/** What anybody else left on this device is erased first. */
async function recordContact(person: number, isStillSignedIn: () => boolean): Promise<void> {
  const keeper = await readKeeper()
  if (keeper?.person === person && !keeper.locked && Date.now() - keeper.contactAt < CONTACT_INTERVAL) return
  if (keeper?.person !== person) {
    const ended = endNotifications()
    // Of a device that nobody had signed in on, they wait for the first person.
    if (keeper !== undefined) await eraseSharedFiles()
    await claimDevice(person, isStillSignedIn)
    await ended
  }
  // Another tab may have erased the device, or another person signed in on it.
  await updateKeeper(current =>
    isStillSignedIn() && current?.person === person ? { person, contactAt: Date.now(), locked: false } : undefined,
  )
}

/** The server has said whose session this is. */
export function recordPerson(token: string, person: number): void {
  if (readToken() === token) setSessionPerson(person)
}

/** For a sign-out, or an end of access: nothing is left on this device. */
export async function forgetDevice(): Promise<void> {
  waiting = []
  clearSessionPerson()
  try {
    const ended = endNotifications()
    await eraseDevice()
    await eraseSharedFiles()
    await ended
  } catch (error) {
    logError('What was kept on this device cannot be erased', error)
  }
}

/** They would be shown to the next person. */
async function endNotifications(): Promise<void> {
  await endPushHere().catch(error => logError('Notifications on this device could not be ended', error))
}

/** A session that has expired locks what is kept until the same person signs in again. */
export function lockWithSession(): void {
  onTokenChange(() => {
    if (readToken() === null) void lock()
  })
}

async function lock(): Promise<void> {
  try {
    // The person may sign in again, also in another tab, before it is written.
    await updateKeeper(keeper => (keeper && readToken() === null ? { ...keeper, locked: true } : undefined))
  } catch (error) {
    logError('What is kept on this device cannot be locked', error)
  }
}
