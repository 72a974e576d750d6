import type { FastifyInstance } from 'fastify';
import type { Database, Tx } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import type { DialectName } from '#src/account/charge.ts';
import type { Payer } from '#src/account/received-payment.ts';
import type { BankEvent, Message, Signing } from '#src/bank/bank-event.ts';
import type { HeldConnections } from '#src/bank/held-connections.ts';
import type { FaultSwitch } from '#src/faults/fault-switch.ts';

/** What every operation of the simulated bank works with, whatever dialect it is asked in. */
export interface Bank {
  readonly database: Database;
  readonly now: () => Date;
  readonly faults: FaultSwitch;
  readonly dialects: Dialects;
  /** Wakes the loop that sends notifications: one is due. */
  readonly wake: () => void;
}

/** ISPB of the simulated bank; no participant has it. */
export const bankIspb = '99999010';
/** ISPB of the bank all payers have. */
export const payerIspb = '99999011';

/** A notification before it is signed. */
export interface Unsigned {
  readonly url: string;
  readonly body: string;
  /** Of the registration it goes to. */
  readonly secret: string | null;
  readonly signing: Signing;
}

/** What a dialect's routes work with. */
export interface Mount {
  readonly bank: Bank;
  readonly held: HeldConnections;
  readonly logger: Logger;
}

/**
 * One language of the simulated bank, complete: its routes, its notifications, its identifiers, its signatures,
 * and how a gateway is configured for it. The bank's own code names no dialect; a new one is one more of these in
 * `service.ts`.
 */
export interface Dialect {
  /** Under which its charges, transfers and notifications are kept. */
  readonly name: DialectName;
  /** Who pays a charge where no payer is named. */
  readonly usualPayer: Payer;
  /** A charge ends when its amount is covered, rather than with the first payment. */
  readonly completesWhenCovered: boolean;
  /** Whether a receiver's bank may send back a part of a transfer; otherwise all of it comes back, or nothing. */
  readonly returnsInParts: boolean;
  /** The id that the rail gives a payment of a charge. */
  paymentId(at: Date): string;
  /** The id that the rail gives money that comes back from a transfer. */
  returnId(at: Date): string;
  /** The notifications of an event; none where the dialect has no word for it. */
  messagesOf(tx: Tx, event: BankEvent): Promise<Message[]> | Message[];
  /** Where notifications go that are registered for an address. */
  notificationUrl(registered: string): string;
  /** Where a notification really goes, and the headers that prove where it comes from. */
  sign(notification: Unsigned): { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  mount(app: FastifyInstance, mount: Mount): void;
  /** Its account in the form a gateway is configured with (`providersConfigSchema`). Nothing in it is secret. */
  providerConfig(publicUrl: string): object;
}

/** The dialects of one bank, by name. */
export type Dialects = Readonly<Record<DialectName, Dialect>>;
