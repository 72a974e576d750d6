import { z } from 'zod';
import {
  disputeColumns,
  disputeTables,
  listedByColumn,
  type Dispute,
  type DisputeStatus,
} from '#src/account/dispute.ts';
import type { BacenBank } from '#src/bacen/bank.ts';
import { infractionQuerySchema, presentPage, windowOf } from '#src/bacen/page-query.ts';
import { Problem } from '#src/bacen/problem.ts';
import { EfiError } from '#src/efi/efi-error.ts';
import { defend, findDispute } from '#src/movements/change-dispute.ts';

const statusNames = {
  OPEN: 'ABERTA',
  UNDER_ANALYSIS: 'EM_DEFESA',
  ACCEPTED: 'ACEITA',
  REJECTED: 'REJEITADA',
  CANCELED: 'CANCELADA_EFI',
} as const satisfies Record<DisputeStatus, string>;

/** `GET /v2/gn/infracoes`: those that changed in the period, or were opened in it. */
export async function listInfractions({ database, account }: BacenBank, query: unknown): Promise<object> {
  const parsed = infractionQuerySchema.safeParse(query);
  if (!parsed.success) throw new Problem('InfracoesConsultaInvalida');
  const { skip, limit } = windowOf(parsed.data);
  const params = [account.dialect, parsed.data.inicio, parsed.data.fim];
  const at = await listedByColumn(database);
  const condition = `d.dialect = $1 and ${at} between $2 and $3`;
  const disputes = await database.query<Dispute>(
    `select ${disputeColumns} from ${disputeTables} where ${condition} order by ${at}, d.id offset $4 limit $5`,
    [...params, skip, limit],
  );
  const [count] = await database.query<{ total: number }>(
    `select count(*) as total from ${disputeTables} where ${condition}`,
    params,
  );
  return { parametros: presentPage(parsed.data, count?.total ?? 0), infracoes: disputes.map(presentInfraction) };
}

const defenceSchema = z.object({ analise: z.enum(['aceito', 'rejeitado']), justificativa: z.string().min(1) });

/** `POST /v2/gn/infracoes/:id/defesa` */
export async function postDefence(
  { database, dialects, account, now }: BacenBank,
  id: string,
  body: unknown,
): Promise<object> {
  const parsed = defenceSchema.safeParse(body);
  if (!parsed.success) throw new EfiError(400, 'valor_invalido', 'Os campos da defesa são inválidos');
  return await database.transaction(async (tx) => {
    const dispute = await findDispute(tx, id);
    if (dispute?.dialect !== account.dialect)
      throw new EfiError(404, 'infracao_nao_encontrada', 'Infração não encontrada');
    const defended = await defend(tx, dialects, {
      dispute,
      text: parsed.data.justificativa,
      documents: [],
      now: now(),
    });
    if (!defended) throw new EfiError(400, 'infracao_encerrada', 'A infração não aceita defesa');
    return presentInfraction(defended);
  });
}

/** `valor` is in cents and without a point, as in Efí's documentation. */
function presentInfraction(dispute: Dispute): object {
  return {
    idInfracao: dispute.id,
    endToEndId: dispute.e2eId,
    protocolo: dispute.id.slice(0, 8),
    dataTransacao: dispute.openedAt.toISOString(),
    valor: String(dispute.amount),
    status: statusNames[dispute.status],
    razao: 'Solicitacao de devolução',
    tipoSituacao: 'golpe',
    ...(dispute.defence === null ? {} : { defesa: dispute.defence }),
    dadosAnalise: { abertura: dispute.openedAt.toISOString(), prazoFinalizacao: dispute.dueAt.toISOString() },
    criadoEm: dispute.openedAt.toISOString(),
    atualizadoEm: dispute.changedAt.toISOString(),
  };
}
