import { SimulatedBank } from '../load/simulated-bank.ts';
import type { Fault } from './fault.ts';

const lookBackMs = 600_000;
/** A statement is read half a minute behind the present, every half minute: what is older has been read. */
const readWithinMs = 90_000;
/** Of a short run, which ends before any statement was read; what it leaves unexplained is not looked at. */
const shortFaultMs = 2_000;
const returnsMax = 5;
const daysLate = 89;

/**
 * Payouts come back that the provider paid months ago: no list of the last days has them. Their payment was on a statement
 * then, so only those are aged whose line has been read.
 */
export const lateReturn: Fault = {
  name: 'return after 89 days',
  victims: () => ['efi', 'woovi', 'spei'],
  strike: async ({ stage, victim: dialect, random, durationMs }) => {
    const bank = new SimulatedBank(stage.stack.simulatorUrl);
    const madeSince = async (ms: number) => (await bank.books(new Date(Date.now() - ms))).transfers;
    const unread = new Set(
      durationMs < shortFaultMs ? [] : (await madeSince(readWithinMs)).map(({ reference }) => reference),
    );
    const paid = (await madeSince(lookBackMs)).filter(
      (transfer) => transfer.dialect === dialect && transfer.status === 'PAID' && !unread.has(transfer.reference),
    );
    for (const { reference, amount } of paid.slice(-returnsMax)) {
      await bank.control(`/transfers/${reference}/age`, { days: daysLate });
      await bank.tryControl(`/transfers/${reference}/return`, { amount_cents: random.integer(1, amount) });
    }
  },
};
