/** What a worker answers; each serves one task at a time, so that nothing more is needed to tell answers apart. */
export type Answer<Output> =
  | { readonly says: 'progress'; readonly percent: number }
  | { readonly says: 'done'; readonly output: Output }
  | { readonly says: 'failed'; readonly failure: Failure }

export interface Failure {
  readonly name: string
  readonly message: string
}

/** A task, as its worker sees it. */
export type Task<Input, Output> = (input: Input, report: (percent: number) => void) => Promise<Output>
