import type { Balance, Currency } from '#src/generated/merchants/types.gen.ts';

/** The currency of each member of a balance. */
export const currencyOf: Readonly<Record<keyof Balance, Currency>> = { brl: 'BRL', mxn: 'MXN', usdt: 'USDT' };

/** What moves a balance. */
export const movingEvents = ['deposit.', 'payout.', 'refund.', 'med.', 'conversion.'];
