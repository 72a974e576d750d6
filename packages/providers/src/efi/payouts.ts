import { parseDocument } from '@gateway/pix';
import { asked } from '#src/certainty.ts';
import { toAmountText } from '#src/amount-text.ts';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { problemOf, refusal } from '#src/bacen/problem.ts';
import { sendingSchema, sentSchema, type Sent } from '#src/efi/wire.ts';
import { failureCodes } from '#src/failure-codes.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions, NotSent } from '#src/outcomes.ts';
import type { PayoutInput, PayoutLookup, PayoutOutcome, PayoutState } from '#src/payouts.ts';

const idEnvioMaxCharacters = 35;
const infoPagadorMaxCharacters = 140;

/**
 * `PUT /v3/gn/pix/:idEnvio`. The id is ours. A repeated one is answered 409 `id_envio_duplicado`: the first call arrived,
 * and only a look at the payout tells what became of it.
 */
export async function createPayout(
  connection: BacenConnection,
  { payout, payingKey }: { readonly payout: PayoutInput; readonly payingKey: string },
  options?: CallOptions,
): Promise<PayoutOutcome> {
  const body = payoutBody(payout, payingKey);
  if ('kind' in body) return body;
  const path = `/v3/gn/pix/${encodeURIComponent(payout.ref)}`;
  const outcome = await connection.call({ method: 'PUT', path, body, schema: sendingSchema }, options);
  switch (outcome.kind) {
    case 'answered': {
      const { idEnvio, e2eId, status } = outcome.value;
      if (idEnvio !== payout.ref) return { kind: 'unknown', cause: 'the provider answered with another idEnvio' };
      if (status !== 'NAO_REALIZADO') return accepted(payout.ref, e2eId, status);
      return await existingPayout(connection, payout, options);
    }
    case 'rejected':
      if (outcome.status !== 409 && problemOf(outcome.body)?.code !== 'id_envio_duplicado') return refusal(outcome);
      return await existingPayout(connection, payout, options);
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

/** `GET /v2/gn/pix/enviados/id-envio/:idEnvio`. */
export async function getPayout(
  connection: BacenConnection,
  { ref }: Pick<PayoutLookup, 'ref'>,
  options?: CallOptions,
): Promise<PayoutState> {
  const path = `/v2/gn/pix/enviados/id-envio/${encodeURIComponent(ref)}`;
  const found = lookedUp(await connection.call({ method: 'GET', path, schema: sentSchema }, options));
  return found.status === 'FOUND' ? payoutState(found.value) : found;
}

function payoutBody({ ref, money, destination, recipient, verifyOwner, description }: PayoutInput, payingKey: string) {
  if (money.currency !== 'BRL') return unsupported(`no payouts in ${money.currency}`);
  if (destination.type === 'clabe') return unsupported('no payouts to a CLABE');
  if (!/^[A-Za-z0-9]+$/.test(ref) || ref.length > idEnvioMaxCharacters)
    return unsupported('the reference is no idEnvio');
  const owner = verifyOwner ? parseDocument(recipient.document ?? '') : null;
  if (owner && !owner.ok) return unsupported('the owner cannot be verified without a document');
  return {
    valor: toAmountText(money.amount),
    pagador: {
      chave: payingKey,
      ...(description ? { infoPagador: description.slice(0, infoPagadorMaxCharacters) } : {}),
    },
    favorecido: { chave: destination.value, ...(owner?.ok ? { [owner.kind]: owner.value } : {}) },
  };
}

function unsupported(cause: string): NotSent {
  return { kind: 'not_sent', reason: 'unsupported', cause };
}

async function existingPayout(
  connection: BacenConnection,
  payout: PayoutInput,
  options: CallOptions | undefined,
): Promise<PayoutOutcome> {
  const state = await getPayout(connection, payout, options);
  switch (state.status) {
    case 'PROCESSING':
      return accepted(payout.ref, state.e2eId, 'EM_PROCESSAMENTO');
    case 'PAID':
      return accepted(payout.ref, state.e2eId, 'REALIZADO');
    case 'FAILED':
      return { kind: 'refused', code: state.code, message: state.message, raw: { status: 'NAO_REALIZADO' } };
    case 'NOT_FOUND':
      return {
        kind: 'unknown',
        cause: 'the provider knows the id, and does not find the payout',
        providerRef: payout.ref,
      };
    case 'DIFFERS':
      return { kind: 'unknown', cause: `the ${state.field} differs`, differs: state, providerRef: payout.ref };
    case 'UNAVAILABLE':
      return { kind: 'unknown', cause: state.cause, providerRef: payout.ref };
  }
}

function accepted(ref: string, e2eId: string | undefined, status: 'EM_PROCESSAMENTO' | 'REALIZADO'): PayoutOutcome {
  return { kind: 'accepted', status: status === 'REALIZADO' ? 'PAID' : 'PROCESSING', providerRef: ref, e2eId };
}

function payoutState({ idEnvio, endToEndId: e2eId, status, horario, gnExtras }: Sent): PayoutState {
  const facts = { providerRef: idEnvio, e2eId };
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return { status: 'PROCESSING', ...facts };
    case 'REALIZADO':
      return asked({ status: 'PAID', ...facts, paidAt: horario.liquidacao ?? horario.solicitacao });
    case 'NAO_REALIZADO': {
      const code = failureCodeOf(gnExtras?.erro?.codigo);
      return asked({ status: 'FAILED', ...facts, code, message: gnExtras?.erro?.motivo ?? failureCodes[code].meaning });
    }
  }
}
