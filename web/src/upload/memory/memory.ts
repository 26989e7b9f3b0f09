import { deleteRecords, readRecords, saveRecords } from './database.ts'
import { fingerprintOf, type UploadRecord } from './record.ts'
import { nameThisTab, openTabs } from './tabs.ts'

/**
 * What one person's browser remembers of uploads until they are finished. Remembering is a help, never a condition: where
 * the browser keeps nothing (a private window, a full disk), uploads go on without it.
 */
export class UploadMemory {
  readonly #personId: number
  readonly #tab = nameThisTab()
  /** What lies in the database, by key. */
  readonly #records = new Map<string, UploadRecord>()
  /** What an earlier visit left, until its file is chosen anew. */
  #left: UploadRecord[] = []
  #writing: Promise<void> = Promise.resolve()
  #unsaved = new Set<string>()
  #works = true

  constructor(personId: number) {
    this.#personId = personId
  }

  /** What an earlier visit of this person left unfinished. */
  get left(): readonly UploadRecord[] {
    return this.#left
  }

  async load(): Promise<void> {
    try {
      const [records, busyTabs] = await Promise.all([readRecords(), openTabs()])
      this.#left = records.filter(({ personId, tab }) => personId === this.#personId && !busyTabs.has(tab))
      for (const record of this.#left) this.#records.set(record.key, record)
      this.forgetSettled()
    } catch {
      this.#works = false
    }
  }

  /** The record of a file chosen anew. Each is given out once. */
  recall(file: File): UploadRecord | undefined {
    const fingerprint = fingerprintOf(file)
    const found = this.#left.find(record => fingerprintOf(record) === fingerprint)
    if (found) this.#left = this.#left.filter(record => record !== found)
    return found
  }

  keep(record: Omit<UploadRecord, 'personId' | 'tab'>): void {
    this.#records.set(record.key, { ...record, personId: this.#personId, tab: this.#tab })
    this.#save(record.key)
  }

  change(key: string, change: Partial<UploadRecord>): void {
    const record = this.#records.get(key)
    if (!record) return
    this.#records.set(key, { ...record, ...change })
    this.#save(key)
  }

  forget(keys: readonly string[]): void {
    const known = keys.filter(key => this.#records.delete(key))
    this.#left = this.#left.filter(record => !known.includes(record.key))
    if (known.length > 0) this.#write(() => deleteRecords(known))
  }

  /** Where everything that was left has arrived, there is nothing to offer. */
  forgetSettled(): void {
    if (this.#left.every(record => record.safe)) this.forget(this.#left.map(record => record.key))
  }

  /** Many changes of one moment are written together. */
  #save(key: string): void {
    this.#unsaved.add(key)
    if (this.#unsaved.size > 1) return
    this.#write(async () => {
      const records = [...this.#unsaved].flatMap(unsaved => this.#records.get(unsaved) ?? [])
      this.#unsaved.clear()
      await saveRecords(records)
    })
  }

  /** One after the other, so that the last word is the last written. */
  #write(act: () => Promise<void>): void {
    this.#writing = this.#writing.then(async () => {
      if (!this.#works) return
      await act().catch(() => {
        this.#works = false
      })
    })
  }
}
