/** A part of the pure core: the code that gets faults, and the tests without servers that have to notice them. */
export interface Area {
  /** Globs of the repository; a leading `!` leaves files out. */
  readonly code: readonly string[];
  readonly tests: readonly string[];
}

export const areas = {
  money: { code: ['packages/money/src/**/*.ts'], tests: ['packages/money/src/**/*.test.ts'] },
  pix: { code: ['packages/pix/src/**/*.ts'], tests: ['packages/pix/test/**/*.test.ts'] },
} as const satisfies Record<string, Area>;

export type AreaName = keyof typeof areas;

/** Names the area to the test runner, which Stryker starts as a process of its own. */
export const areaVariable = 'MUTATED_AREA';
