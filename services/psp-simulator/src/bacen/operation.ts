import type { FastifyReply } from 'fastify';
import type { Logger } from '@gateway/runtime';
import type { BacenBank } from '#src/bacen/bank.ts';
import { answerFaultily, type Answer, type FaultyCall } from '#src/bank/faulty-route.ts';
import type { HeldConnections } from '#src/bank/held-connections.ts';

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
