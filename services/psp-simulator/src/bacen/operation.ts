import type { FastifyReply } from 'fastify';
import type { Logger } from '@gateway/runtime';
import type { BacenBank } from '#src/bacen/bank.ts';
import { answerFaultily, type Answer, type FaultyCall, type HeldConnections } from '#src/faults/faulty-route.ts';

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
