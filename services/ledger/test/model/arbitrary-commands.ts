import fc from 'fast-check';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { depositStory } from './deposit-story.ts';

/**
 * Commands over few accounts and few records, so that they meet: known and unknown references, wrong currencies,
 * amounts around the limits, ids used again with the same and with another body.
 */
const id = (prefix: string, number: number) => `${prefix}_01k9${String(number).padStart(22, '0')}`;

const account = fc.integer({ min: 1, max: 4 }).map((number) => id('acc', number));
const currency = fc.constantFrom('BRL', 'BRL', 'BRL', 'MXN' as const);
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 50 }).map((tens) => tens * 10) },
  { weight: 1, arbitrary: fc.constantFrom(1, 99_999_999_999, 100_000_000_000) },
);
const fee = fc.constantFrom(0, 0, 1, 10);
const record = (prefix: string, max: number) => fc.integer({ min: 1, max }).map((number) => id(prefix, number));
const deposit = record('dep', 6);
const payout = record('pyt', 5);
const refund = record('rfd', 4);
const dispute = record('med', 4);
/** Around the clock of the test, so that captures lapse in some runs. */
export const testClockSec = 1_800_000_000;
const soon = fc.constantFrom(testClockSec + 50, testClockSec + 10_000);

const variant = fc.integer({ min: 0, max: 3 });
const common = { environment: fc.constant('test' as const), accountId: account, currency };

/** The id of the intent: few per record, so that the same id comes back, often with another body. */
function identified<T extends { kind: string }>(arbitrary: fc.Arbitrary<T>, part: (command: T) => string) {
  return fc.tuple(arbitrary, variant).map(([command, number]) => ({
    ...command,
    id: `${command.kind}:${part(command)}:${number}`,
  }));
}

const kind = <K extends string>(name: K) => fc.constant(name);

const creditDeposit = identified(
  fc
    .record({
      kind: kind('credit-deposit'),
      ...common,
      depositId: deposit,
      provider: kind('sandbox'),
      amount,
      fee,
      releaseAt: fc.option(soon),
    })
    .map((command) => ({ ...command, fee: Math.min(command.fee, command.amount) })),
  (command) => command.depositId,
);

const payoutBody = { ...common, payoutId: payout, amount };
const byPayout = (command: { payoutId: string }) => command.payoutId;

const payouts = fc.oneof(
  identified(fc.record({ kind: kind('debit-payout'), ...payoutBody, fee }), byPayout),
  identified(fc.record({ kind: kind('settle-payout'), ...payoutBody, provider: kind('sandbox') }), byPayout),
  identified(fc.record({ kind: kind('reverse-payout'), ...payoutBody, fee }), byPayout),
  identified(fc.record({ kind: kind('redebit-payout'), ...payoutBody, provider: kind('sandbox'), fee }), byPayout),
  identified(fc.record({ kind: kind('return-payout'), ...payoutBody, provider: kind('sandbox') }), byPayout),
);

const refundBody = { ...common, depositId: deposit, refundId: refund, provider: kind('sandbox'), amount };
const byRefund = (command: { refundId: string }) => command.refundId;

const refunds = fc.oneof(
  identified(fc.record({ kind: kind('refund-deposit'), ...refundBody, depositAmount: amount }), byRefund),
  identified(fc.record({ kind: kind('reverse-refund'), ...refundBody }), byRefund),
  identified(fc.record({ kind: kind('redebit-refund'), ...refundBody }), byRefund),
  identified(fc.record({ kind: kind('hold-receipt'), ...refundBody }), byRefund),
  identified(
    fc.record({ kind: kind('return-receipt'), ...common, refundId: refund, provider: kind('sandbox'), amount }),
    byRefund,
  ),
);

const byDispute = (command: { disputeId: string }) => command.disputeId;

const disputes = fc.oneof(
  identified(
    fc.record({
      kind: kind('block-dispute'),
      ...common,
      disputeId: dispute,
      depositId: deposit,
      amount,
      captureUntil: soon,
    }),
    byDispute,
  ),
  identified(fc.record({ kind: kind('extend-dispute'), ...common, disputeId: dispute, amount }), byDispute),
  identified(fc.record({ kind: kind('release-dispute'), ...common, disputeId: dispute }), byDispute),
  identified(
    fc.record(
      { kind: kind('return-dispute'), ...common, disputeId: dispute, provider: kind('sandbox'), amount },
      { requiredKeys: ['kind', 'environment', 'accountId', 'currency', 'disputeId', 'provider'] },
    ),
    byDispute,
  ),
  identified(fc.record({ kind: kind('lapse-dispute'), ...common, disputeId: dispute }), byDispute),
  identified(
    fc.record({ kind: kind('overturn-dispute'), ...common, disputeId: dispute, provider: kind('sandbox') }),
    byDispute,
  ),
);

const others = fc.oneof(
  identified(
    fc.record({ kind: kind('release-pending'), ...common, depositId: deposit, amount }),
    (command) => command.depositId,
  ),
  identified(
    fc.record({
      kind: kind('convert'),
      ...common,
      conversionId: record('cnv', 5),
      amount,
      targetCurrency: fc.constantFrom('USDT', 'MXN' as const),
      targetAmount: amount,
    }),
    (command) => command.conversionId,
  ),
  identified(
    fc
      .record({
        kind: kind('book-trade'),
        ...common,
        orderId: record('tro', 5),
        venue: kind('bitso'),
        amount,
        fee,
        targetCurrency: fc.constantFrom('USDT', 'MXN' as const),
        targetAmount: amount,
      })
      .map((command) => ({ ...command, fee: Math.min(command.fee, command.amount) })),
    (command) => command.orderId,
  ),
  identified(
    fc.record({
      kind: kind('provider-fee'),
      ...common,
      provider: kind('sandbox'),
      lineId: record('line', 5),
      amount: fc.integer({ min: -500, max: 500 }).filter((value) => value !== 0),
    }),
    (command) => command.lineId,
  ),
  identified(
    fc.record({
      kind: kind('own-funds'),
      ...common,
      provider: kind('sandbox'),
      lineId: record('line', 5),
      reference: fc.constant(null),
      amount: fc.integer({ min: -500, max: 500 }).filter((value) => value !== 0),
    }),
    (command) => command.lineId,
  ),
  identified(
    fc.record({
      kind: kind('adjust'),
      ...common,
      adjustmentId: record('adj', 5),
      amount: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: -500, max: 2_000 }).filter((value) => value !== 0) },
        { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER) },
      ),
    }),
    (command) => command.adjustmentId,
  ),
);

const ledgerCommands: fc.Arbitrary<LedgerCommand> = fc.oneof(
  { weight: 4, arbitrary: creditDeposit },
  { weight: 4, arbitrary: payouts },
  { weight: 3, arbitrary: refunds },
  { weight: 4, arbitrary: disputes },
  { weight: 3, arbitrary: others },
);

/** Of a run, where a command of a story can stand. */
const placesMax = 60;

/** Ordinary runs and, in two of three, the life of one or two deposits among them. */
const stories = fc.array(
  fc.tuple(
    depositStory({ id, clockSec: testClockSec }),
    fc.array(fc.nat({ max: placesMax - 1 }), { minLength: 24, maxLength: 24 }),
  ),
  { maxLength: 2 },
);

const drawnBatches = fc.array(
  fc.array(fc.tuple(ledgerCommands, fc.option(fc.nat(), { freq: 4 })), { minLength: 1, maxLength: 12 }),
  { minLength: 1, maxLength: 12 },
);

/** Batches, with repetitions of earlier commands mixed in, unchanged. */
export const commandBatches: fc.Arbitrary<LedgerCommand[][]> = fc.tuple(drawnBatches, stories).map(([drawn, told]) => {
  const sent: LedgerCommand[] = [];
  const batches = drawn.map((batch) =>
    batch.map(([command, repeat]) => {
      const chosen = repeat !== null && sent.length > 0 ? (sent[repeat % sent.length] ?? command) : command;
      sent.push(chosen);
      return chosen;
    }),
  );
  for (const [commands, places] of told) {
    const inOrder = places.slice(0, commands.length).sort((one, other) => one - other);
    commands.forEach((command, index) => {
      batches[Math.floor(((inOrder[index] ?? 0) * batches.length) / placesMax)]?.push(command);
    });
  }
  return batches;
});
