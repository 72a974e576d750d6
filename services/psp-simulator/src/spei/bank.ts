import { randomBytes, randomInt } from 'node:crypto';
import { newClabe } from '@gateway/pix';
import type { Bank } from '#src/bank/bank.ts';

/** What the operations of the SPEI dialect work with. */
export interface SpeiBank extends Bank {
  /** What comes as `Authorization: Bearer`. */
  readonly apiKey: string;
}

export const speiDialect = 'spei';

/** Everything the account is notified of comes under one topic. */
export const speiTopic = 'account';

/** No bank has this code, so no CLABE of the simulator can be paid for real. */
const bankCode = '990';
const cityCode = '180';
const accountsMax = 100_000_000_000;

/** Accounts that stand for an outcome, as the magic keys do on PIX. */
export const magicClabes = {
  refuse: clabeOf(1),
  fail: clabeOf(2),
  timeout: clabeOf(3),
  hold: clabeOf(4),
  owner: clabeOf(5),
} as const;

export function newChargeClabe(): string {
  return clabeOf(randomInt(1_000, accountsMax));
}

/** A tracking key (clave de rastreo): at most 29 letters and digits. */
export function trackingKey(prefix: string): string {
  return `${prefix}${randomBytes(13).toString('hex').toUpperCase()}`;
}

/** A refusal in the dialect's form: a name for machines and a sentence. */
export class SpeiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 422) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

function clabeOf(account: number): string {
  return newClabe({ bankCode, cityCode, account: String(account).padStart(11, '0') });
}
