import type { Bank } from '#src/bank/bank.ts';

/** What the operations of the Woovi dialect work with. */
export interface WooviBank extends Bank {
  /** What comes as `Authorization`. */
  readonly appId: string;
  readonly accountId: string;
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
