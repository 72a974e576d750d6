export type Environment = 'test' | 'live';
export type Currency = 'BRL' | 'MXN';

interface Answered {
  readonly id: string;
  readonly externalId: string;
  readonly environment: Environment;
  readonly amount: number;
  /** Default: BRL. */
  readonly currency?: Currency;
}

export interface AnsweredDeposit extends Answered {
  /** It was paid at the bank: it must become PAID. */
  isPaid: boolean;
}

export interface AnsweredPayout extends Answered {
  /** It was answered 504: it goes its way, or its money is given back. */
  readonly isUncertain: boolean;
}

export interface AnsweredRefund extends Answered {
  readonly depositId: string;
}

/** A payer's claim that the provider decided; who learns of it is for the gateway to see to. */
export interface Contested {
  readonly depositId: string;
  readonly amount: number;
  /** As the provider says it: the payer was right, or was not. */
  readonly result: 'ACCEPTED' | 'REJECTED';
}

export interface AnsweredConversion extends Answered {
  /** What it gave, in hundredths of a USDT. */
  readonly gave: number;
}

/** What a merchant wrote down of what it was answered; all of it must be true afterwards. */
export class Book {
  readonly deposits = new Map<string, AnsweredDeposit>();
  readonly payouts = new Map<string, AnsweredPayout>();
  readonly refunds = new Map<string, AnsweredRefund>();
  readonly conversions = new Map<string, AnsweredConversion>();
  /** By the deposit's id. */
  readonly contested = new Map<string, Contested>();

  /** @throws Error when the same reference was answered with another record before. */
  write<T extends Answered>(page: Map<string, T>, record: T): T {
    for (const known of page.values()) {
      if (known.environment !== record.environment || known.externalId !== record.externalId) continue;
      if (known.id === record.id) return known;
      throw new Error(`${record.externalId} was answered as ${known.id} and as ${record.id}`);
    }
    page.set(record.id, record);
    return record;
  }
}
