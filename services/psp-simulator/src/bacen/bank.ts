import type { FastifyReply } from 'fastify';
import type { Logger } from '@gateway/runtime';
import type { Bank } from '#src/bank/bank.ts';
import { answerFaultily, type Answer, type FaultyCall } from '#src/bank/faulty-route.ts';
import type { HeldConnections } from '#src/bank/held-connections.ts';

/** What the operations of the BACEN and Efí dialect work with. */
export interface BacenBank extends Bank {
  readonly client: { readonly id: string; readonly secret: string };
}

/** Under which charges and transfers of this dialect are kept. */
export const bacenDialect = 'bacen';

export interface BacenMount {
  readonly bank: BacenBank;
  readonly held: HeldConnections;
  readonly logger: Logger;
}

/** Runs an operation of this dialect under its faults. */
export function bacenOperation(
  mount: BacenMount,
  call: Omit<FaultyCall, 'dialect'>,
  reply: FastifyReply,
  work: () => Promise<Answer>,
): Promise<FastifyReply> {
  return answerFaultily(mount, { call: { dialect: 'bacen', ...call }, reply, work });
}
