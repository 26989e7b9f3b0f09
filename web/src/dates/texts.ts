import type { DateSource } from '#contract/media.ts'
import { formatCount } from '../kit/format.ts'

const files = (count: number) => (count === 1 ? '1 file' : `${formatCount(count)} files`)

export const texts = {
  title: (count: number) => (count === 1 ? 'Change date' : `Change date of ${files(count)}`),
  ways: 'How to change the date',
  cancel: 'Cancel',
  save: 'Save',
  success: (changed: number, skipped: number) =>
    [
      changed === 0 ? 'No date was changed.' : changed === 1 ? 'Date changed.' : `Dates of ${files(changed)} changed.`,
      skipped > 0 && `${files(skipped)} stayed as before: the date is not exact enough.`,
    ]
      .filter(Boolean)
      .join(' '),
  failure: 'Failed to change the date',
  set: {
    tab: 'Date',
    label: 'When was it taken?',
    example: 'Summer 1974',
    hint: 'As exactly as you know it: 1974, summer 1974, about 1950, the 60s, between 1964 and 1970, before 1939, March 1981, or a day and a time.',
    notUnderstood:
      'Not understood yet. Try “summer 1974”, “about 1950”, “the 60s”, “before 1939” or “12 May 2019 14:30”.',
    onlyYear: (year: string) =>
      `Not understood yet. If only the year is known, type “${year}”, or try “summer ${year}”, “May ${year}” or “about ${year}”.`,
    future: 'That is in the future. Photos are from today or before.',
    noSuchDay: 'The calendar has no such day.',
    undated: 'Nobody knows: it will be listed as undated',
  },
  shift: {
    tab: 'Shift',
    hint: 'If the clock of the camera was wrong.',
    direction: 'The right time is',
    later: 'later',
    earlier: 'earlier',
    days: 'Days',
    hours: 'Hours',
    minutes: 'Minutes',
  },
  copy: {
    tab: 'Copy',
    label: 'Copy the date of another file',
    placeholder: 'Search by name, place or tag',
    none: 'No file with a date was found.',
    failed: 'The files did not come through',
  },
  zone: {
    tab: 'Time zone',
    label: 'Where it was taken',
    placeholder: 'Town, country or UTC+1',
    found: 'Time zones',
    none: 'No time zone was found. Try a larger town nearby, a country, or UTC+1.',
    home: 'Home of this library',
    device: 'This device',
    keep: 'The clock of the camera',
    clock: 'showed the time of that place',
    moment: 'showed the time at home: change it to the time of that place',
  },
  preview: {
    first: 'First file:',
    becomes: 'becomes',
    changed: (count: number) => `${files(count)} will change.`,
    notExact: (count: number) =>
      count === 1
        ? '1 file stays as it is: it has no exact time.'
        : `${files(count)} stay as they are: they have no exact time.`,
    notExactAlone: 'Nothing would change: this needs a date with an exact time, and may not lead into the future.',
    nothing: 'Nothing would change.',
  },
  clear: {
    many: 'Use the cameras’ dates',
    one: {
      metadata: 'Use the camera’s date',
      sidecar: 'Use the date of the sidecar',
      name: 'Use the date in the name',
      modified: 'Use the date in the file',
      file: 'Use the date of the file',
      person: 'Use the camera’s date',
      none: 'Remove this date',
    } satisfies Record<DateSource | 'none', string>,
  },

  undated: {
    loading: 'Loading…',
    title: 'Undated photos',
    left: (count: number) => `${files(count)} left`,
    none: {
      title: 'Every file has a date',
      text: 'Files whose date nobody knows are listed here.',
      done: (dated: number) => `You gave a date to ${files(dated)}. Thank you!`,
      back: 'Back to the gallery',
    },
    skip: 'Skip',
    back: 'Back',
    next: 'Save and next',
    failed: { title: 'The photos did not come through', retry: 'Retry' },
    end: {
      title: 'That was the last one',
      text: (dated: number, skipped: number) =>
        `${dated > 0 ? `You gave a date to ${files(dated)}. Thank you! ` : ''}You skipped ${files(skipped)}, which ${skipped === 1 ? 'waits' : 'wait'} here until somebody knows more.`,
      again: 'Start again',
    },
    saved: (date: string) => `Saved for the last one: ${date}.`,
    undo: 'Undo',
    again: 'For the same date again choose “Save and next”.',
    uploaded: (name: string, when: string) => `Added by ${name} on ${when}`,
    doubtful: (date: string) => `The camera said ${date}, but its clock was probably wrong.`,
  },
}
