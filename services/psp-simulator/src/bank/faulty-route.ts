import type { FastifyReply } from 'fastify';
import type { Bank } from '#src/bank/bank.ts';
import type { HeldConnections } from '#src/bank/held-connections.ts';
import type { CallFault } from '#src/faults/fault.ts';
import { nextCallFault, type FaultQuestion } from '#src/bank/next-fault.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface FaultyCall extends FaultQuestion {
  readonly reference?: string;
  readonly amount?: number;
  readonly magic?: CallFault | null;
  /** How this dialect says that an id was used before. */
  readonly duplicateAnswer?: Answer;
}

const slowAnswerMs = 3_000;
const retryAfterSec = '1';

/** Does what a route does, and answers as the fault of this call wants it. */
export async function answerFaultily(
  { bank, held }: { readonly bank: Bank; readonly held: HeldConnections },
  {
    call,
    reply,
    work,
  }: { readonly call: FaultyCall; readonly reply: FastifyReply; readonly work: () => Promise<Answer> },
): Promise<FastifyReply> {
  const fault = await nextCallFault(bank, call);
  const send = ({ status, body }: Answer): FastifyReply => {
    void reply.code(status);
    return body === undefined ? reply.send() : reply.send(body);
  };
  if (fault === null) return send(await work());
  switch (fault) {
    case 'timeout_before':
      held.hold(reply);
      return reply;
    case 'reset_before':
      return cut(reply);
    case 'error_before':
      return send({ status: 503, body: { nome: 'erro_aplicacao', mensagem: 'simulated', error: 'simulated' } });
    case 'throttled':
      void reply.header('retry-after', retryAfterSec);
      return send({ status: 429, body: { error: 'simulated' } });
    case 'unauthorized':
      return send({ status: 401, body: { error: 'simulated' } });
    case 'timeout_after':
      await work();
      held.hold(reply);
      return reply;
    case 'reset_after':
      await work();
      return cut(reply);
    case 'error_after':
      await work();
      return send({ status: 500, body: { nome: 'erro_aplicacao', mensagem: 'simulated', error: 'simulated' } });
    case 'nonsense':
      await work();
      return send({ status: 200, body: { simulated: 'nonsense' } });
    case 'duplicate':
      await work();
      return send(call.duplicateAnswer ?? { status: 409, body: { error: 'simulated: already used' } });
    case 'slow': {
      const answer = await work();
      await new Promise((resolve) => setTimeout(resolve, slowAnswerMs));
      return send(answer);
    }
  }
}

function cut(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.socket?.resetAndDestroy();
  return reply;
}
