import { bacenDialect, type BacenBank } from '#src/bacen/bank.ts';
import { cobRequestSchema, txidSchema, type CobDetails } from '#src/bacen/cob/cob-request.ts';
import { presentCobWithPix } from '#src/bacen/cob/get-cob.ts';
import { Problem, violationsOf, type Violation } from '#src/bacen/problem.ts';
import { putCharge } from '#src/movements/put-charge.ts';
import { schedulePayments } from '#src/movements/schedule-payments.ts';

const notActive: Violation = {
  razao: 'A cobrança já existe, não está no status ATIVA, e a presente requisição busca alterá-la.',
  propriedade: 'cob.status',
};

/** `PUT /cob/{txid}`: creates the charge, or revises it while it is ATIVA. */
export async function putCob(bank: BacenBank, txid: string, body: unknown): Promise<object> {
  const { database, now } = bank;
  const request = cobRequestSchema.safeParse(body);
  const reference = txidSchema.safeParse(txid);
  if (!request.success) throw new Problem('CobOperacaoInvalida', violationsOf(request.error, 'cob'));
  if (!reference.success) throw new Problem('CobOperacaoInvalida', violationsOf(reference.error, 'cob.txid'));
  const { calendario, valor, ...rest } = request.data;
  const outcome = await putCharge(
    database,
    {
      dialect: bacenDialect,
      reference: reference.data,
      amount: valor.original,
      expiresInSec: calendario.expiracao,
      details: rest satisfies CobDetails,
    },
    now(),
  );
  if (outcome.kind === 'not_active') throw new Problem('CobOperacaoInvalida', [notActive]);
  if (outcome.created) await schedulePayments(database, outcome.charge);
  return await presentCobWithPix(bank, outcome.charge);
}
