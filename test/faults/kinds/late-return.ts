import { SimulatedBank } from '../load/simulated-bank.ts';
import type { Fault } from './fault.ts';

const lookBackMs = 60_000;
const returnsMax = 5;
const daysLate = 89;

/** Payouts come back that the provider paid months ago: no list of the last days has them. */
export const lateReturn: Fault = {
  name: 'return after 89 days',
  victims: () => ['efi', 'woovi', 'spei'],
  strike: async ({ stage, victim: dialect, random }) => {
    const bank = new SimulatedBank(stage.stack.simulatorUrl);
    const { transfers } = await bank.books(new Date(Date.now() - lookBackMs));
    const paid = transfers.filter((transfer) => transfer.dialect === dialect && transfer.status === 'PAID');
    for (const { reference, amount } of paid.slice(-returnsMax)) {
      await bank.control(`/transfers/${reference}/age`, { days: daysLate });
      await bank.tryControl(`/transfers/${reference}/return`, { amount_cents: random.integer(1, amount) });
    }
  },
};
