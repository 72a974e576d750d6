import { randomBytes } from 'node:crypto';
import type { ChargeInput, PayoutInput, RefundInput } from '#src/index.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A reference as records have it: 26 characters of a lower-case ULID. */
export function newReference(): string {
  return Array.from(randomBytes(26), (byte) => alphabet.charAt(byte % 32)).join('');
}

export function chargeInput(change: Partial<ChargeInput> & Pick<ChargeInput, 'createdAt'>): ChargeInput {
  return { ref: newReference(), money: { currency: 'BRL', amount: 1990 }, expiresInSec: 3600, ...change };
}

export function payoutInput(change: Partial<PayoutInput> & Pick<PayoutInput, 'sentAt' | 'destination'>): PayoutInput {
  return {
    ref: newReference(),
    money: { currency: 'BRL', amount: 1250 },
    recipient: { name: 'Fulano de Tal', document: '12345678909' },
    verifyOwner: false,
    ...change,
  };
}

export function refundInput(change: Partial<RefundInput> & Pick<RefundInput, 'sentAt' | 'receipt'>): RefundInput {
  return { ref: newReference(), money: { currency: 'BRL', amount: 1990 }, ...change };
}
