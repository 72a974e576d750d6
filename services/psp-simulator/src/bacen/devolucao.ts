import { z } from 'zod';
import { isRefundId } from '@gateway/pix';
import { findPayment } from '#src/account/received-payment.ts';
import { amountSchema } from '#src/bacen/amount.ts';
import type { BacenBank } from '#src/bacen/bank.ts';
import { presentRefund } from '#src/bacen/pix.ts';
import { Problem, violationsOf, type Violation } from '#src/bacen/problem.ts';
import { refundsOf, requestRefund, type RefundRefusal } from '#src/movements/request-refund.ts';

const misfit = 'não respeita o _schema_';

export const refundRequestSchema = z.object({
  valor: amountSchema(misfit),
  natureza: z.enum(['ORIGINAL', 'RETIRADA'], misfit).default('ORIGINAL'),
  descricao: z.string(misfit).max(140, misfit).optional(),
});

const violations: Record<RefundRefusal, Violation> = {
  reference_used: {
    razao: 'A presente requisição de devolução apresenta um {id} já utilizado por outra requisição de devolução.',
    propriedade: 'devolucao.id',
  },
  more_than_paid: {
    razao: 'A presente requisição, em conjunto com as demais prévias devoluções, excederia o valor do pix originário.',
    propriedade: 'devolucao.valor',
  },
  too_late: {
    razao: 'A presente requisição de devolução viola a janela de tempo permitida.',
    propriedade: 'devolucao.horario',
  },
};

interface RefundPath {
  readonly e2eid: string;
  readonly id: string;
}

/** `PUT /pix/{e2eid}/devolucao/{id}` */
export async function putDevolucao(
  { database, account, now }: BacenBank,
  path: RefundPath,
  body: unknown,
): Promise<object> {
  const request = refundRequestSchema.safeParse(body);
  if (!request.success) throw new Problem('PixDevolucaoInvalida', violationsOf(request.error, 'devolucao'));
  if (!isRefundId(path.id)) {
    throw new Problem('PixDevolucaoInvalida', [
      { razao: `O campo devolucao.id ${misfit}.`, propriedade: 'devolucao.id' },
    ]);
  }
  const payment = await findPayment(database, path.e2eid);
  if (payment?.dialect !== account.dialect) throw new Problem('PixNaoEncontrado');
  const { valor: amount, descricao: description } = request.data;
  const outcome = await database.transaction((tx) =>
    requestRefund(tx, { payment, reference: path.id, amount, description, now: now() }),
  );
  if (typeof outcome === 'string') throw new Problem('PixDevolucaoInvalida', [violations[outcome]]);
  return presentRefund(outcome);
}

/** `GET /pix/{e2eid}/devolucao/{id}` */
export async function getDevolucao({ database, account }: BacenBank, { e2eid, id }: RefundPath): Promise<object> {
  const payment = await findPayment(database, e2eid);
  if (payment?.dialect !== account.dialect) throw new Problem('PixDevolucaoNaoEncontrada');
  const refunds = await refundsOf({ sql: database.query.bind(database) }, payment.id);
  const refund = refunds.find(({ reference }) => reference === id);
  if (!refund) throw new Problem('PixDevolucaoNaoEncontrada');
  return presentRefund(refund);
}
