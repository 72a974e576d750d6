import { getConversionSwitch, setConversionSwitch, type ConversionSwitch } from '@gateway/contracts/conversions';
import { answering, type RpcRoute } from '@gateway/messaging';
import type { OperationTable, WhenAsked } from './changing-services.ts';

const conversionSwitch: ConversionSwitch = {
  ...{ live: 'off', allowed: true, version: 0, by: null, at: null, reason: null },
};

/** The ledger's switch of live conversions, which is off for those who ask and was on for those who set it. */
export function switchingLedger(whenAsked: WhenAsked): RpcRoute[] {
  return [
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
};

/** The ledger makes this change when it is asked. */
export const switchOffOperations: OperationTable = {
  'POST /ops/conversions/switch/off': () => ({
    ...{ path: '/ops/conversions/switch/off', body: { reason: 'the exchange is down' } },
    ...{ action: 'live-conversions.switch-off', before: { live: 'on' }, after: { live: 'off', by: 'ana' } },
  }),
};
