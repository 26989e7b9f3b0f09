/** Why the store cannot be used as it is set up, in a sentence for the person who does. */
export class StoreUnusable extends Error {
  constructor(sentence: string, cause: unknown) {
    super(sentence, { cause })
    this.name = 'StoreUnusable'
  }
}
