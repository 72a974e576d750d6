import { isRefundId } from '@gateway/pix';
import { asked } from '#src/certainty.ts';
import { amountText } from '#src/wire-amounts.ts';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { refusal } from '#src/bacen/problem.ts';
import { devolucaoSchema, type Devolucao } from '#src/bacen/wire.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import { differs, unknownFor } from '#src/differs.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { RefundInput, RefundLookup, RefundOutcome, RefundState } from '#src/refunds.ts';

/** `descricao` of a return. */
const descriptionMaxCharacters = 140;

/**
 * `PUT /pix/{e2eid}/devolucao/{id}`. The id is ours; a repeated one is rejected by the standard, so a rejection is
 * followed by a look at the return before it counts.
 */
export async function refund(
  connection: BacenConnection,
  input: RefundInput,
  options?: CallOptions,
): Promise<RefundOutcome> {
  const { ref, money, reason } = input;
  if (money.currency !== 'BRL') {
    return { kind: 'not_sent', reason: 'unsupported', cause: `no refunds in ${money.currency}` };
  }
  if (!isRefundId(ref)) return { kind: 'not_sent', reason: 'unsupported', cause: 'the reference is no id of a return' };
  const body = {
    valor: amountText(money.amount),
    natureza: 'ORIGINAL',
    ...(reason ? { descricao: reason.slice(0, descriptionMaxCharacters) } : {}),
  };
  const outcome = await connection.pixApi(
    { method: 'PUT', path: refundPath(input), body, schema: devolucaoSchema },
    options,
  );
  switch (outcome.kind) {
    case 'answered':
      return refundOutcome(outcome.value, input);
    case 'rejected': {
      const found = await findRefund(connection, input, options);
      if (found.status === 'FOUND') return refundOutcome(found.value, input);
      if (found.status === 'NOT_FOUND') return refusal(outcome);
      return { kind: 'unknown', cause: `rejected with ${outcome.status}, and ${found.cause}` };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

export async function getRefund(
  connection: BacenConnection,
  lookup: RefundLookup,
  options?: CallOptions,
): Promise<RefundState> {
  const found = await findRefund(connection, lookup.refund, options);
  if (found.status !== 'FOUND') return found;
  const { id: providerRef, rtrId, status, motivo, valor } = found.value;
  const other = differs(lookup.refund, { ref: providerRef, amount: valor });
  if (other) return other;
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return { status: 'PROCESSING', providerRef, returnId: rtrId };
    case 'DEVOLVIDO':
      return asked({ status: 'DONE', providerRef, returnId: rtrId ?? providerRef });
    case 'NAO_REALIZADO':
      return asked({ status: 'FAILED', providerRef, ...notCarriedOut(motivo) });
  }
}

function refundOutcome(made: Devolucao, input: RefundInput): RefundOutcome {
  const { id: providerRef, rtrId, status, motivo, valor } = made;
  const other = differs(input, { ref: providerRef, amount: valor });
  if (other) return unknownFor(other, input.ref);
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return { kind: 'accepted', status: 'PROCESSING', providerRef, returnId: rtrId };
    case 'DEVOLVIDO':
      return { kind: 'accepted', status: 'DONE', providerRef, returnId: rtrId ?? providerRef };
    case 'NAO_REALIZADO':
      return { kind: 'refused', ...notCarriedOut(motivo), raw: { status, motivo } };
  }
}

function notCarriedOut(motivo: string | undefined) {
  return { code: failureCodeOf(motivo), message: motivo ?? 'the return was not carried out' };
}

async function findRefund(connection: BacenConnection, input: RefundInput, options: CallOptions | undefined) {
  return lookedUp(
    await connection.pixApi({ method: 'GET', path: refundPath(input), schema: devolucaoSchema }, options),
  );
}

function refundPath({ receipt, ref }: RefundInput): string {
  return `/pix/${encodeURIComponent(receipt.e2eId)}/devolucao/${encodeURIComponent(ref)}`;
}
