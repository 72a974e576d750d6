import { amountText } from '#src/bacen/amount.ts';
import type { CobDetails } from '#src/bacen/cob/cob-request.ts';
import type { Charge, ChargeStatus } from '#src/account/charge.ts';

const statusNames = {
  ACTIVE: 'ATIVA',
  COMPLETED: 'CONCLUIDA',
  REMOVED_BY_RECEIVER: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  REMOVED_BY_PSP: 'REMOVIDA_PELO_PSP',
} as const satisfies Record<ChargeStatus, string>;

/** A charge as the Pix API shows it (schemas `CobGerada`, `CobCompleta`). */
export function presentCob(charge: Charge, pix: readonly object[] = []): object {
  const createdAt = charge.createdAt.toISOString();
  const { devedor, chave, solicitacaoPagador, infoAdicionais } = charge.details as CobDetails;
  return {
    calendario: { criacao: createdAt, expiracao: charge.expiresInSec },
    txid: charge.reference,
    revisao: charge.revision,
    loc: {
      id: charge.id,
      location: charge.location,
      tipoCob: 'cob',
      criacao: createdAt,
    },
    location: charge.location,
    status: statusNames[charge.status],
    ...(devedor === undefined ? {} : { devedor }),
    valor: { original: amountText(charge.amount) },
    chave,
    ...(solicitacaoPagador === undefined ? {} : { solicitacaoPagador }),
    ...(infoAdicionais === undefined ? {} : { infoAdicionais }),
    pixCopiaECola: charge.brCode,
    ...(pix.length > 0 ? { pix } : {}),
  };
}
