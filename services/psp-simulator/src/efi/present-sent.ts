import { amountText } from '#src/bacen/amount.ts';
import { failureTexts, type Transfer, type TransferReturn, type TransferStatus } from '#src/account/transfer.ts';

const transferStatusNames = {
  CREATED: 'EM_PROCESSAMENTO',
  PROCESSING: 'EM_PROCESSAMENTO',
  PAID: 'REALIZADO',
  FAILED: 'NAO_REALIZADO',
} as const satisfies Record<TransferStatus, string>;

/** `GET /v2/gn/pix/enviados/…` */
export function presentSent(transfer: Transfer, returns: readonly TransferReturn[]): object {
  const { payingKey, description } = transfer.details as { payingKey: string; description?: string };
  return {
    endToEndId: transfer.e2eId,
    idEnvio: transfer.reference,
    valor: amountText(transfer.amount),
    chave: payingKey,
    status: transferStatusNames[transfer.status],
    ...(description === undefined ? {} : { infoPagador: description }),
    horario: {
      solicitacao: transfer.requestedAt.toISOString(),
      ...(transfer.status === 'PAID' ? { liquidacao: transfer.settledAt?.toISOString() } : {}),
    },
    favorecido: {
      chave: transfer.destinationKey,
      identificacao: { nome: 'Fulano de Tal', cpf: '***.456.789-**' },
    },
    ...failureOf(transfer),
    ...returnsOf(returns),
  };
}

/** The item of a notification about a payout: `tipo` distinguishes it from a payment that arrived. */
export function presentSentNotice(transfer: Transfer, returns: readonly TransferReturn[]): object {
  const failure = failureOf(transfer);
  return {
    endToEndId: transfer.e2eId,
    chave: transfer.details['payingKey'],
    tipo: 'SOLICITACAO',
    status: transferStatusNames[transfer.status],
    valor: amountText(transfer.amount),
    horario: transfer.status === 'PAID' ? transfer.settledAt?.toISOString() : null,
    gnExtras: { idEnvio: transfer.reference, ...failure.gnExtras },
    ...returnsOf(returns),
  };
}

function failureOf({ failureCode }: Transfer) {
  if (failureCode === null) return {};
  const erro = {
    codigo: failureCode,
    origem: 'PSP do usuário recebedor',
    motivo: failureTexts[failureCode] ?? failureCode,
  };
  return { gnExtras: { erro } };
}

function returnsOf(returns: readonly TransferReturn[]): object {
  if (returns.length === 0) return {};
  const devolucoes = returns.map(({ returnId, amount, returnedAt }) => ({
    id: returnId,
    rtrId: returnId,
    valor: amountText(amount),
    horario: { solicitacao: returnedAt.toISOString(), liquidacao: returnedAt.toISOString() },
    status: 'DEVOLVIDO',
  }));
  return { devolucoes };
}
