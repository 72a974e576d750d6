/** What the examples print with: the one global that they need of a platform. */
declare const console: { log(...values: unknown[]): void };
