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
