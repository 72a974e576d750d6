import { z } from 'zod';
import type { Bank } from '#src/bank/bank.ts';

/** What the operations of the Woovi dialect work with. */
export interface WooviBank extends Bank {
  /** What comes as `Authorization`. */
  readonly appId: string;
  readonly accountId: string;
  /** Secret of the webhooks of this account: what they are signed with besides Woovi's key. */
  readonly webhookSecret: string;
  /** What Woovi's key for all its customers is verified with. */
  readonly publicKeyPem: string;
}

export const wooviDialect = 'woovi';

/** A refusal in Woovi's form: a sentence, and nothing for machines. */
export class WooviError extends Error {
  readonly status: number;

  constructor(error: string, status = 400) {
    super(error);
    this.status = status;
  }
}

const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const farPast = new Date('2020-01-01T00:00:00Z');
const farFuture = new Date('2100-01-01T00:00:00Z');

/** What a list shows at once; the lists of transactions and disputes describe no parameter for another page. */
export const itemsPerPage = 100;

/** The period of Woovi's lists of transactions and disputes; all of it optional. */
export const windowSchema = z.object({
  start: instantSchema.default(farPast),
  end: instantSchema.default(farFuture),
});

export function presentPageInfo(hasNextPage: boolean): object {
  return { skip: 0, limit: itemsPerPage, hasPreviousPage: false, hasNextPage };
}
