import { randomBytes, randomInt, type KeyObject } from 'node:crypto';
import { newClabe } from '@gateway/pix';
import type { Bank } from '#src/bank/bank.ts';

/** What the operations of the Fintoc dialect work with. */
export interface FintocBank extends Bank {
  /** What comes as `Authorization`, without a scheme. */
  readonly secretKey: string;
  readonly accountId: string;
  /** Of its webhook endpoints. */
  readonly webhookSecret: string;
  /** The public half of what the customer signs calls with that move money. */
  readonly customerPublicKey: KeyObject;
}

/** The account is kept under the name of its rail. */
export const fintocAccount = 'spei';

/** No bank has this code, so no CLABE of the simulator can be paid for real. */
const bankCode = '990';
const cityCode = '180';
/** Accounts of charges lie below, accounts of payers from here on. */
const payersFrom = 20_000_000_000;

/** Accounts that stand for an outcome, as the magic keys do on PIX. */
export const magicClabes = {
  refuse: clabeOf(1),
  fail: clabeOf(2),
  timeout: clabeOf(3),
  hold: clabeOf(4),
  owner: clabeOf(5),
} as const;

export function newChargeClabe(): string {
  return clabeOf(randomInt(1_000, payersFrom));
}

/** Where a payment comes from: each payer has an account of their own. */
export function payerClabe(paymentId: number): string {
  return clabeOf(payersFrom + paymentId);
}

/** The payment whose payer has this CLABE: money that is sent there goes back. */
export function paymentPaidFrom(clabe: string): number | null {
  if (!clabe.startsWith(`${bankCode}${cityCode}`)) return null;
  const account = Number(clabe.slice(6, 17));
  return account >= payersFrom ? account - payersFrom : null;
}

/** A tracking key (clave de rastreo): at most 29 letters and digits. */
export function trackingKey(prefix: string): string {
  return `${prefix}${randomBytes(13).toString('hex').toUpperCase()}`;
}

/** A refusal in the dialect's form. */
export class FintocError extends Error {
  readonly type: string;
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, { type = 'invalid_request_error', status = 400 } = {}) {
    super(message);
    this.code = code;
    this.type = type;
    this.status = status;
  }
}

export const notFound = new FintocError('resource_not_found', 'No such resource', { status: 404 });

function clabeOf(account: number): string {
  return newClabe({ bankCode, cityCode, account: String(account).padStart(11, '0') });
}
