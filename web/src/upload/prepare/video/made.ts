/** What the video workers are asked, and what they answer. */
export interface VideoOrder {
  readonly file: File
  /** The name of the file to write in the scratch folder. */
  readonly scratchName: string
}

export interface FallbackOrder {
  readonly file: File
  /** A folder with the core of the transcoder; absent: our own. */
  readonly coreUrl: string | undefined
}

export type MadeVideo =
  | { readonly outcome: 'plays' }
  | { readonly outcome: 'converted'; readonly how: 'rewrapped' | 'encoded'; readonly mp4: Blob }
  | { readonly outcome: 'server'; readonly reason: string }
  /** More than the browser can do by itself; `pixels` is how many there are to encode, where that is known. */
  | { readonly outcome: 'beyond'; readonly reason: string; readonly pixels: number | null }
