/** The store cannot be used with these settings. The message is for the person who runs the server. */
export class StoreUnusable extends Error {
  constructor(sentence: string, cause: unknown) {
    super(sentence, { cause })
    this.name = 'StoreUnusable'
  }
}
