/**
 * Takes each of what a provider has answered at once, in its order: one that cannot be taken hides no other.
 *
 * @throws what the first of those failed with, once the others are taken
 */
export async function takeEach<Item>(items: readonly Item[], take: (item: Item) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await take(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
