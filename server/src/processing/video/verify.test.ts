import { afterAll, expect, test, vi } from 'vitest'
import { sandboxHere } from '../test-support/sandbox.ts'
import { probeVideo } from './probe.ts'
import { h264, h264AndAac, openClipFolder, PATIENCE, picture, sound } from './test-clips.ts'
import { ConversionLoss, verifyConversion } from './verify.ts'

vi.setConfig(PATIENCE)
const workshop = await openClipFolder(sandboxHere)
const { make } = workshop
afterAll(() => workshop[Symbol.asyncDispose]())

const path = await make('source.mkv', ...picture('160x120', 6), ...sound(6), ...h264AndAac)
const source = { ...workshop, path, probe: await probeVideo(path, workshop) }

test('a version with all of the picture and sound is whole', async () => {
  const whole = await make('whole.mp4', '-i', path, '-c', 'copy')
  expect(await verifyConversion(source, whole)).toMatchObject({ container: 'mp4', audio: { codec: 'aac' } })
})

test.each([
  ['without the sound', 'sound', ['-an', '-c', 'copy']],
  ['with half of the sound', 'sound', ['-c:v', 'copy', '-af', 'atrim=end=3']],
  ['with half of the picture', 'picture', [...h264, '-vf', 'trim=end=3', '-c:a', 'copy']],
  ['of half the length', 'picture', ['-t', '3', '-c', 'copy']],
])('a version %s is not', async (name, lost, how) => {
  const version = await make(`${name}.mp4`, '-i', path, ...how)
  const verdict = await verifyConversion(source, version).catch((error: unknown) => error)
  expect(verdict).toBeInstanceOf(ConversionLoss)
  expect(verdict).toHaveProperty(
    'message',
    `The video could not be converted: some of its ${lost} would have been lost.`,
  )
})

test('sound that ends early in the source may end early in its conversion', async () => {
  const early = await make('early.mkv', ...picture('160x120', 6), ...sound(2), ...h264AndAac)
  const version = await make('early.mp4', '-i', early, '-c', 'copy')
  const shortSound = { ...workshop, path: early, probe: await probeVideo(early, workshop) }
  expect(await verifyConversion(shortSound, version)).toMatchObject({ audio: { codec: 'aac' } })
})
