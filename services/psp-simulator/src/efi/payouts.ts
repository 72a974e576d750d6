import { z } from 'zod';
import { balanceOf } from '#src/account/balance.ts';
import { transferColumns, type Transfer } from '#src/account/transfer.ts';
import { amountSchema, amountText } from '#src/bacen/amount.ts';
import type { BacenBank } from '#src/bacen/bank.ts';
import { pageQuerySchema, presentPage, windowOf } from '#src/bacen/page-query.ts';
import { Problem } from '#src/bacen/problem.ts';
import { EfiError } from '#src/efi/efi-error.ts';
import { presentSent } from '#src/efi/present-sent.ts';
import { foreignOwner, magicKeys, transferPlan } from '#src/faults/magic.ts';
import { findTransfer, orderTransfer, returnsOf } from '#src/movements/order-transfer.ts';

export const payoutRequestSchema = z.object({
  valor: amountSchema(),
  pagador: z.object({ chave: z.string().min(1).max(77), infoPagador: z.string().max(140).optional() }),
  favorecido: z
    .object({ chave: z.string().min(1).max(77), cpf: z.string().optional(), cnpj: z.string().optional() })
    .refine(({ cpf, cnpj }) => cpf === undefined || cnpj === undefined),
});

const idEnvioPattern = /^[A-Za-z0-9]{1,35}$/;

/** How Efí says that an id was used before. */
export const duplicateIdAnswer = {
  status: 409,
  body: { nome: 'id_envio_duplicado', mensagem: 'O id de envio informado já foi utilizado em outro pagamento' },
} as const;

/** `PUT /v3/gn/pix/:idEnvio` */
export async function putPayout(bank: BacenBank, idEnvio: string, body: unknown): Promise<object> {
  const request = payoutRequestSchema.safeParse(body);
  if (!request.success || !idEnvioPattern.test(idEnvio)) {
    throw new EfiError(
      400,
      'valor_invalido',
      `Campo ${request.error?.issues[0]?.path.join('.') ?? 'idEnvio'} é inválido`,
    );
  }
  const { valor: amount, pagador, favorecido } = request.data;
  const plan = transferPlan(amount, favorecido.chave);
  if (plan === 'refused') throw new EfiError(422, 'pagamento_negado', 'Pagamento negado por análises');
  if (plan === 'key_not_found') throw new EfiError(400, 'chave_invalida', 'A chave informada não existe');
  if (plan === 'no_balance') throw new EfiError(422, 'saldo_insuficiente', 'Saldo insuficiente');
  const claimedOwner = favorecido.cpf ?? favorecido.cnpj;
  if (favorecido.chave === magicKeys.owner && claimedOwner !== undefined && claimedOwner !== foreignOwner.document) {
    const kind = favorecido.cpf === undefined ? 'cnpj' : 'cpf';
    const text = `O ${kind} do favorecido é diferente do documento em posse da chave`;
    throw new EfiError(400, 'chave_nao_pertence_ao_documento', text);
  }
  const transfer = await orderTransfer(bank, {
    dialect: bank.account.dialect,
    reference: idEnvio,
    amount,
    destinationKey: favorecido.chave,
    plan,
    details: { payingKey: pagador.chave, description: pagador.infoPagador },
  });
  if (!transfer) throw new EfiError(409, duplicateIdAnswer.body.nome, duplicateIdAnswer.body.mensagem);
  return {
    idEnvio,
    e2eId: transfer.e2eId,
    valor: amountText(transfer.amount),
    horario: { solicitacao: transfer.requestedAt.toISOString() },
    status: 'EM_PROCESSAMENTO',
  };
}

/** `GET /v2/gn/pix/enviados/id-envio/:idEnvio` */
export async function getSent({ database, account }: BacenBank, idEnvio: string): Promise<object> {
  const transfer = await findTransfer(database, account.dialect, idEnvio);
  if (!transfer) throw new Problem('PixEnviadoNaoEncontrado');
  return presentSent(transfer, await returnsOf(database, transfer.id));
}

/** `GET /v2/gn/pix/enviados/:e2eId` */
export async function getSentByPayment({ database, account }: BacenBank, e2eId: string): Promise<object> {
  const [transfer] = await database.query<Transfer>(
    `select ${transferColumns} from transfer t where t.dialect = $1 and t.e2e_id = $2`,
    [account.dialect, e2eId],
  );
  if (!transfer) throw new Problem('PixEnviadoNaoEncontrado');
  return presentSent(transfer, await returnsOf(database, transfer.id));
}

/** `GET /v2/gn/pix/enviados` */
export async function listSent({ database, account }: BacenBank, query: unknown): Promise<object> {
  const parsed = pageQuerySchema.safeParse(query);
  if (!parsed.success) throw new EfiError(400, 'valor_invalido', 'Os parâmetros da consulta são inválidos');
  const { skip, limit } = windowOf(parsed.data);
  const params = [account.dialect, parsed.data.inicio, parsed.data.fim];
  const condition = 't.dialect = $1 and t.requested_at between $2 and $3';
  const transfers = await database.query<Transfer>(
    `select ${transferColumns} from transfer t where ${condition} order by t.requested_at, t.id offset $4 limit $5`,
    [...params, skip, limit],
  );
  const [count] = await database.query<{ total: number }>(
    `select count(*) as total from transfer t where ${condition}`,
    params,
  );
  const pix = await Promise.all(transfers.map(async (sent) => presentSent(sent, await returnsOf(database, sent.id))));
  return { parametros: presentPage(parsed.data, count?.total ?? 0), pix };
}

/** `GET /v2/gn/saldo` */
export async function getBalance(
  { database, account }: BacenBank,
  query: { readonly bloqueios?: string },
): Promise<object> {
  const { available, blocked } = await balanceOf(database, account.dialect);
  const bloqueios = { judicial: '0.00', med: amountText(blocked), total: amountText(blocked) };
  return { saldo: amountText(available), ...(query.bloqueios === 'true' ? { bloqueios } : {}) };
}
