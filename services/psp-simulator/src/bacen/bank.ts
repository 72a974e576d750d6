import type { FastifyReply } from 'fastify';
import type { Logger } from '@gateway/runtime';
import type { Bank } from '#src/bank/bank.ts';
import { answerFaultily, type Answer, type FaultyCall } from '#src/bank/faulty-route.ts';
import type { HeldConnections } from '#src/bank/held-connections.ts';

/** An account at a provider that serves the Pix API. */
export interface BacenAccount {
  /** Under which its charges and transfers are kept. */
  readonly dialect: 'bacen' | 'efi';
  /** Where its interface begins: empty, or a path. */
  readonly path: string;
  readonly client: { readonly id: string; readonly secret: string };
}

/** What the operations of the Pix API work with. */
export interface BacenBank extends Bank {
  readonly account: BacenAccount;
}

export interface BacenMount {
  readonly bank: BacenBank;
  readonly held: HeldConnections;
  readonly logger: Logger;
}

/** Runs an operation under the faults of its dialect. */
export function bacenOperation(
  mount: BacenMount,
  call: Omit<FaultyCall, 'dialect'>,
  reply: FastifyReply,
  work: () => Promise<Answer>,
): Promise<FastifyReply> {
  return answerFaultily(mount, { call: { dialect: mount.bank.account.dialect, ...call }, reply, work });
}
