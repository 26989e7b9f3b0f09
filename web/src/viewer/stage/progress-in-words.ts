interface Progress {
  /** Without how far it is. */
  plain: string
  percent: (values: { percent: number }) => string
}

/** As in "This photo is still being prepared… 40%". Null: how far it is, is not known. */
export function progressInWords(messages: Progress, percent: number | null): string {
  return percent === null ? messages.plain : messages.percent({ percent })
}
