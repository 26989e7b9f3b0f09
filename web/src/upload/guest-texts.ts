import { formatCount, formatDate } from '../kit/format.ts'

const photos = (count: number) => (count === 1 ? '1 photo or video' : `${formatCount(count)} photos and videos`)

export const guestTexts = {
  page: 'Send photos',
  heading: 'Send us your photos',
  intro:
    'Send your photos and videos here. The family looks them through and chooses what comes into the album. Other guests do not see them.',
  until: (when: string) => `You can send until ${formatDate(when)}.`,
  name: {
    label: 'What is your name?',
    hint: 'So that the family knows who sent the photos.',
    go: 'Continue',
    failure: 'The name could not be saved',
  },
  hello: (name: string) => `You are sending as ${name}.`,
  rename: 'Change name',
  drop: {
    title: 'Drop photos and videos here, or click to choose',
    touch: 'Choose photos and videos',
    more: 'Add more',
    now: 'Drop to send',
  },
  originals: 'They are sent as they are, with the date and place that your camera stored in them.',
  sending: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} sent`,
  keepOpen: 'Please keep this page open until everything is sent.',
  offline: 'No connection right now. Sending goes on by itself.',
  allSent: (count: number) => `Thank you! ${photos(count)} sent.`,
  failedCount: (count: number) => `${photos(count)} could not be sent.`,
  retry: 'Try again',
  failed: 'This file could not be sent.',
  status: { waiting: 'Waiting', sending: 'Sending', sent: 'Sent', failed: 'Not sent', refused: 'Not sent' },
  progressOf: (name: string) => `Progress of ${name}`,
  list: 'Files being sent',
  sent: { heading: (count: number) => `What you have sent (${formatCount(count)})`, more: 'Show more' },
} as const
