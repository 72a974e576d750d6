import type { FastifyInstance } from 'fastify';
import { bacenOperation, type BacenMount } from '#src/bacen/bank.ts';
import { listInfractions, postDefence } from '#src/efi/infractions.ts';
import {
  duplicateIdAnswer,
  getBalance,
  getSent,
  getSentByPayment,
  listSent,
  payoutRequestSchema,
  putPayout,
} from '#src/efi/payouts.ts';
import { getReport, orderReport } from '#src/efi/reports.ts';
import { magicKeys } from '#src/faults/magic.ts';

interface EfiRoute {
  readonly Params: { readonly idEnvio: string; readonly e2eId: string; readonly id: string };
  readonly Querystring: { readonly bloqueios?: string };
}

/** What Efí has beside the Pix API: payouts, balance, infractions (MED). */
export function mountEfi(scope: FastifyInstance, mount: BacenMount): void {
  const { bank } = mount;
  scope.put<EfiRoute>('/v3/gn/pix/:idEnvio', async ({ params: { idEnvio }, body }, reply) => {
    const request = payoutRequestSchema.safeParse(body);
    const amount = request.data?.valor;
    const unanswered = request.success && request.data.favorecido.chave === magicKeys.timeout;
    return await bacenOperation(
      mount,
      {
        operation: 'create-transfer',
        reference: idEnvio,
        amount,
        magic: unanswered ? 'timeout_after' : null,
        duplicateAnswer: duplicateIdAnswer,
      },
      reply,
      async () => ({ status: 201, body: await putPayout(bank, idEnvio, body) }),
    );
  });
  scope.get('/v2/gn/pix/enviados', async ({ query }, reply) =>
    bacenOperation(mount, { operation: 'list' }, reply, async () => ({
      status: 200,
      body: await listSent(bank, query),
    })),
  );
  scope.get<EfiRoute>('/v2/gn/pix/enviados/id-envio/:idEnvio', async ({ params }, reply) =>
    bacenOperation(mount, { operation: 'get-transfer' }, reply, async () => ({
      status: 200,
      body: await getSent(bank, params.idEnvio),
    })),
  );
  scope.get<EfiRoute>('/v2/gn/pix/enviados/:e2eId', async ({ params }) => getSentByPayment(bank, params.e2eId));
  scope.get<EfiRoute>('/v2/gn/saldo', async ({ query }, reply) =>
    bacenOperation(mount, { operation: 'balance' }, reply, async () => ({
      status: 200,
      body: await getBalance(bank, query),
    })),
  );
  scope.post('/v2/gn/relatorios/extrato-conciliacao', async ({ body }, reply) =>
    bacenOperation(mount, { operation: 'statement' }, reply, async () => ({
      status: 202,
      body: await orderReport(bank, body),
    })),
  );
  scope.get<EfiRoute>('/v2/gn/relatorios/:id', async ({ params }, reply) =>
    bacenOperation(mount, { operation: 'statement' }, reply, () => getReport(bank, params.id)),
  );
  scope.get('/v2/gn/infracoes', async ({ query }) => listInfractions(bank, query));
  scope.post<EfiRoute>('/v2/gn/infracoes/:id/defesa', async ({ params, body }) => postDefence(bank, params.id, body));
}
