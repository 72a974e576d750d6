import { setTimeout as pass } from 'node:timers/promises';
import { SimulatedBank, type BankBooks } from '../load/simulated-bank.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Fault } from './fault.ts';

const pauseMs = 40;
const copiesMax = 3;
const delayMaxMs = 3_000;
const lookBackMs = 60_000;
/** True notifications that are lost, sent twice and sent late during it, each so often. */
const spoiledMax = 10;

const rubbish = [
  '{',
  'null',
  '[[[[[[[[[[]]]]]]]]]]',
  '{"pix":[{"endToEndId":"\\u0000"}]}',
  '{"event":"OPENPIX:CHARGE_COMPLETED","charge":null,"pix":null}',
  '{"id":"x","type":"charge.payment_received","created_at":"never","data":{}}',
];

/**
 * The provider notifies of what has not happened: payments that were not made, payouts that failed or came back, money
 * taken back.
 * Signed as any customer of it could have it signed, or as any caller could; once or several times, late and out of order.
 * What is true is notified twice, late, or not at all.
 */
export const lyingProvider: Fault = {
  name: 'lying provider',
  readsLists: true,
  victims: () => ['bacen', 'efi', 'woovi', 'spei'],
  strike: async ({ stage, victim: dialect, durationMs, random }) => {
    const bank = new SimulatedBank(stage.stack.simulatorUrl);
    const since = new Date(Date.now() - lookBackMs);
    for (const fault of ['lost', 'duplicated', 'reordered']) {
      await bank.control('/faults', {
        dialect,
        operation: 'notification',
        fault,
        times: random.integer(1, spoiledMax),
      });
    }
    const untilMs = performance.now() + durationMs;
    while (performance.now() < untilMs) {
      const books = await bank.books(since);
      for (const lie of liesAbout(books, dialect, random)) await bank.tryControl('/lies', lie);
      await pass(pauseMs);
    }
    await bank.removeFaults();
  },
};

function liesAbout({ charges, transfers }: BankBooks, dialect: string, random: SeededRandom): object[] {
  const delivery = () => ({
    signing: random.pick(['platform', 'platform', 'wrong', 'none'] as const),
    copies: random.integer(1, copiesMax),
    delay_ms: random.oneIn(2) ? 0 : random.integer(0, delayMaxMs),
  });
  const lies: object[] = [{ about: 'anything', dialect, body: random.pick(rubbish), ...delivery(), signing: 'ours' }];
  const open = charges.filter((charge) => charge.dialect === dialect && charge.payments.length === 0);
  if (open.length > 0) {
    const { reference, amount } = random.pick(open);
    // Also signed with our own secret: it contradicts what the provider answers when it is asked.
    const signing = dialect === 'spei' ? 'ours' : 'platform';
    lies.push({
      about: 'payment',
      reference,
      amount_cents: random.pick([amount, 1, 10 * amount]),
      ...delivery(),
      signing,
    });
  }
  const paid = charges.filter((charge) => charge.dialect === dialect).flatMap(({ payments }) => payments);
  if (paid.length > 0 && dialect !== 'spei') {
    const { e2e_id: reference } = random.pick(paid);
    lies.push({ about: 'dispute', reference, status: random.pick(['OPEN', 'ACCEPTED', 'REJECTED']), ...delivery() });
  }
  const sent = transfers.filter((transfer) => transfer.dialect === dialect);
  if (sent.length > 0) {
    const { reference, amount } = random.pick(sent);
    lies.push({ about: 'transfer', reference, result: random.pick(['failed', 'paid']), ...delivery() });
    lies.push({ about: 'return', reference, amount_cents: random.integer(1, amount), ...delivery() });
  }
  return lies;
}
