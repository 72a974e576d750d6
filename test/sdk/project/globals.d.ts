/** What the programs need of a platform. */
declare const console: { log(...values: unknown[]): void };
declare function setTimeout(run: () => void, ms: number): unknown;
