/** Does something with each, in their order, so many at once. */
export async function inTurn<Item>(items: readonly Item[], atOnce: number, act: (item: Item) => Promise<void>) {
  const left = items.values()
  const hand = async () => {
    for (const item of left) await act(item)
  }
  await Promise.all(Array.from({ length: atOnce }, hand))
}
