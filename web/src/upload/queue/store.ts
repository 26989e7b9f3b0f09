import { mayGo, type UploadItem } from './item.ts'
import { byName, inListOrder } from './order.ts'

/** Whoever looks is told at once of a new status, and of progress no more often than the eye can follow. */
const PROGRESS_EVERY = 100

/** The items, and who wants to hear of their changes. */
export class ItemStore {
  readonly #items = new Map<number, UploadItem>()
  /** Ids by name in natural order: the order of work. */
  #order: number[] = []
  readonly #onChange: () => void
  #telling: ReturnType<typeof setTimeout> | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get(id: number): UploadItem | undefined {
    return this.#items.get(id)
  }

  all(): UploadItem[] {
    return this.#order.flatMap(id => this.#items.get(id) ?? [])
  }

  /** As they are shown. */
  listed(): UploadItem[] {
    return inListOrder(this.all())
  }

  add(items: readonly UploadItem[]): void {
    for (const item of items) this.#items.set(item.id, item)
    this.#order = [...this.#items.values()].sort(byName).map(item => item.id)
    this.#tell()
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) this.#items.delete(id)
    this.#order = this.#order.filter(id => this.#items.has(id))
    this.#tell()
  }

  change(id: number, wanted: Partial<UploadItem>): void {
    this.changeAll([id], wanted)
  }

  /** Whoever looks is told once, and so looks once, however many they are. */
  changeAll(ids: readonly number[], wanted: Partial<UploadItem>): void {
    const changed = ids.flatMap(id => this.#apply(id, wanted))
    if (changed.length === 0) return
    if (changed.every(key => key === 'progress')) this.#telling ??= setTimeout(() => this.#tell(), PROGRESS_EVERY)
    else this.#tell()
  }

  /** Answers what is different by it. */
  #apply(id: number, wanted: Partial<UploadItem>): (keyof UploadItem)[] {
    const item = this.#items.get(id)
    if (!item) return []
    const next = { ...item, ...wanted }
    if (!mayGo(item.status, next.status)) {
      throw new Error(`${item.name} cannot go from ${item.status} to ${next.status}`)
    }
    const changed = (Object.keys(wanted) as (keyof UploadItem)[]).filter(key => item[key] !== next[key])
    if (changed.length > 0) this.#items.set(id, next)
    return changed
  }

  #tell(): void {
    clearTimeout(this.#telling)
    this.#telling = undefined
    this.#onChange()
  }
}
