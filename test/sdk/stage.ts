import type { Stack } from '@gateway/local-stack';
import type { PackedSdk } from './packed-sdk.ts';

/** What the suites of `typescript-sdk.test.ts` share: one started product, and the SDK as it is packed. */
export interface Stage {
  readonly stack: Stack;
  readonly sdk: PackedSdk;
}
