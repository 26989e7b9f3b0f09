import { formatCount, formatDate, formatPhotos as photos } from '../kit/format.ts'

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
  interrupted:
    'Sending was interrupted last time. Please choose the same photos again: those that have arrived are skipped.',
  skipped: (count: number) =>
    `${photos(count)} had arrived before, so ${count === 1 ? 'it was' : 'they were'} skipped.`,
  ended:
    'This link has ended, so it takes no more. What you have sent before has arrived. Please ask the person who sent you the link.',
  allSent: (count: number) => `Thank you! ${photos(count)} sent.`,
  incomplete: 'Please keep the originals of incomplete files, and send them again if you have whole copies.',
  failedCount: (count: number) => `${photos(count)} could not be sent.`,
  retry: 'Try again',
  failed: 'This file could not be sent.',
  clipRefused: (clip: string) => `“${clip}” was chosen with it, and is neither a part of this photo nor a video.`,
  sessionEnded: 'Please open the link again.',
  sent: {
    heading: (count: number, hasMore: boolean) => `What you have sent (${formatCount(count)}${hasMore ? '+' : ''})`,
    more: 'Show more',
  },
} as const
