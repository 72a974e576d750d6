import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { bacenDialect, type BacenBank } from '#src/bacen/bank.ts';
import { presentCobWithPix } from '#src/bacen/cob/get-cob.ts';
import { Problem } from '#src/bacen/problem.ts';
import { Charge } from '#src/account/charge.ts';

/** The one revision the simulator takes: the removal, which the Pix API wants alone. */
const removalSchema = z.strictObject({ status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR') });

const notActive = {
  razao: 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.',
  propriedade: 'cob.status',
};

/** `PATCH /cob/{txid}` */
export async function patchCob(bank: BacenBank, txid: string, body: unknown): Promise<object> {
  if (!removalSchema.safeParse(body).success) {
    throw new Problem('CobOperacaoInvalida', [
      { razao: 'o campo cob.status não respeita o _schema_.', propriedade: 'cob.status' },
    ]);
  }
  const charge = await bank.database.transaction(async (tx) => {
    const where = { dialect: bacenDialect, reference: txid };
    const found = await tx.em.findOne(Charge, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found) throw new Problem('CobNaoEncontrado');
    if (found.status !== 'ACTIVE') throw new Problem('CobOperacaoInvalida', [notActive]);
    return tx.em.assign(found, { status: 'REMOVED_BY_RECEIVER', revision: found.revision + 1 });
  });
  return await presentCobWithPix(bank, charge);
}
