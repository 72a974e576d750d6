import type { Change } from '#src/live/read-changes.ts';

/** How a page comes by what changes: by the stream, by reading again, or not at all. */
type LiveState =
  { readonly kind: 'live' } | { readonly kind: 'polling' } | { readonly kind: 'offline'; readonly since: Date };

/** A change; undefined where changes may have been missed. */
export type Hint = Change | undefined;

/** What has changed, for the parts of a page that show it, and whether they hear of it. */
export class Hints {
  readonly #listeners = new Set<(hint: Hint) => void>();
  readonly #watchers = new Set<() => void>();
  #state: LiveState = { kind: 'polling' };

  get state(): LiveState {
    return this.#state;
  }

  set state(state: LiveState) {
    const { kind } = this.#state;
    // Since when it is offline is what was known first.
    if (kind === state.kind) return;
    this.#state = state;
    for (const watcher of this.#watchers) watcher();
  }

  announce(hint: Hint): void {
    for (const listener of this.#listeners) listener(hint);
  }

  listen(listener: (hint: Hint) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };
}
