import {
  getConversionSwitch,
  listUncovered,
  setConversionSwitch,
  type ConversionSwitch,
  type UncoveredPosition,
} from '@gateway/contracts/conversions';
import { newId } from '@gateway/money';
import { getLostRange, type LostRange } from '@gateway/contracts/ledger';
import { answering, type RpcRoute } from '@gateway/messaging';
import type { OperationTable, WhenAsked } from './changing-services.ts';

const conversionSwitch: ConversionSwitch = {
  ...{ live: 'off', allowed: true, version: 0, by: null, at: null, reason: null },
};

const uncovered: UncoveredPosition = {
  ...{ currency: 'BRL', conversions: 1, through: newId('conversion'), owed: 10_000, given: 54_000, uncovered: 10_000 },
  ...{ since: 1_767_000_000, order: null, held: null },
};

const lost: LostRange = {
  ...{ environment: 'live', shard: 0, incarnation: 0, headSequence: 4, headHash: '4'.repeat(64), lostThrough: 6 },
  contradictions: [
    {
      ...{ witness: 'deposits', disagreement: 'ahead' },
      seen: { shard: 0, incarnation: 0, sequence: 6, hash: '6'.repeat(64) },
    },
  ],
  ...{ silent: [], decidedAtMs: 1_767_000_000_000, aheadMs: 0 },
};

/** The ledger's switch of live conversions, which is off for those who ask and was on for those who set it. */
export function switchingLedger(whenAsked: WhenAsked): RpcRoute[] {
  return [
    answering(getLostRange, async () => ({ range: lost })),
    answering(listUncovered, async () => ({ positions: [uncovered] })),
    answering(getConversionSwitch, async () => ({ switch: conversionSwitch })),
    answering(setConversionSwitch, async ({ live, by, reason }) => {
      await whenAsked();
      const after = { ...conversionSwitch, live, by, reason, version: 1, at: 1_767_000_000 };
      return { before: { ...conversionSwitch, live: 'on' as const }, after };
    }),
  ];
}

/** The gateway keeps the proposal. */
export const switchOnOperations: OperationTable = {
  'POST /ops/conversions/switch/on': () => ({
    ...{ path: '/ops/conversions/switch/on', body: { reason: 'counsel agrees' } },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'live-conversions.switch-on', target: 'live/conversions', state: 'PROPOSED' },
  }),
  'POST /ops/conversions/uncovered/cover': () => ({
    ...{ path: '/ops/conversions/uncovered/cover', body: { currency: 'BRL', reason: 'bought at the bank' } },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'live-conversions.cover', target: 'live/conversions/BRL', state: 'PROPOSED' },
  }),
};

/** The ledger writes the link once the gateway has the approval. */
export const incarnationOperations: OperationTable = {
  'POST /ops/ledger/:environment/:shard/incarnations': () => ({
    ...{ path: '/ops/ledger/live/0/incarnations', body: { reason: 'the disk was lost' } },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'ledger.open-incarnation', target: 'live/ledger/0', state: 'PROPOSED' },
  }),
};

/** The ledger makes the key once the gateway has the approval. */
export const keyOperations: OperationTable = {
  'POST /ops/proof/keys': () => ({
    ...{ path: '/ops/proof/keys', action: 'approval.propose', before: null },
    after: { kind: 'checkpoint-key.rotate', target: 'ledger', state: 'PROPOSED', request: { replaces: 1 } },
  }),
};

/** The ledger makes this change when it is asked. */
export const switchOffOperations: OperationTable = {
  'POST /ops/conversions/switch/off': () => ({
    ...{ path: '/ops/conversions/switch/off', body: { reason: 'the exchange is down' } },
    ...{ action: 'live-conversions.switch-off', before: { live: 'on' }, after: { live: 'off', by: 'ana' } },
  }),
};
