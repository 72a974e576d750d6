import { isPixKeyType, parseDocument } from '@gateway/pix';
import { asked } from '#src/certainty.ts';
import { amountText } from '#src/wire-amounts.ts';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { problemOf, refusal } from '#src/bacen/problem.ts';
import { newsOfSent, returnsOf } from '#src/efi/payout-events.ts';
import { sendingSchema, sentSchema, type Sent } from '#src/efi/wire.ts';
import { differs, unknownFor } from '#src/differs.ts';
import { failureCodes } from '#src/failure-codes.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import { lookedUp, type Rejected } from '#src/http/classify.ts';
import type { CallOptions, NotSent } from '#src/outcomes.ts';
import type { PayoutInput, PayoutLookup, PayoutOutcome, PayoutReturns, PayoutState } from '#src/payouts.ts';

const idEnvioMaxCharacters = 35;
const infoPagadorMaxCharacters = 140;

/**
 * `PUT /v3/gn/pix/:idEnvio`. The id is ours. A repeated one is answered 409 `id_envio_duplicado`: the first call arrived,
 * and only a lookup of the payout answers what became of it.
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
      const { idEnvio, e2eId, status, valor } = outcome.value;
      const other = differs(payout, { ref: idEnvio, amount: valor });
      if (other) return unknownFor(other, payout.ref);
      if (status !== 'NAO_REALIZADO') return accepted(payout.ref, e2eId, status);
      return await existingPayout(connection, { payout }, options);
    }
    case 'rejected':
      return await existingPayout(connection, { payout, rejected: outcome }, options);
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

/** `GET /v2/gn/pix/enviados/id-envio/:idEnvio`. */
export async function getPayout(
  connection: BacenConnection,
  { payout }: Pick<PayoutLookup, 'payout'>,
  options?: CallOptions,
): Promise<PayoutState> {
  const found = await findSent(connection, payout.ref, options);
  if (found.status !== 'FOUND') return found;
  return differs(payout, { ref: found.value.idEnvio, amount: found.value.valor }) ?? payoutState(found.value);
}

/** The same lookup answers what came back of it, however long ago it was sent. */
export async function getPayoutReturns(
  connection: BacenConnection,
  { payout }: Pick<PayoutLookup, 'payout'>,
  options?: CallOptions,
): Promise<PayoutReturns> {
  const found = await findSent(connection, payout.ref, options);
  if (found.status !== 'FOUND') return found;
  const other = differs(payout, { ref: found.value.idEnvio, amount: found.value.valor });
  if (other) return { status: 'UNAVAILABLE', cause: `the provider answered with another ${other.field}` };
  return { status: 'FOUND', returns: returnsOf(newsOfSent(found.value)).map(asked) };
}

async function findSent(connection: BacenConnection, ref: string, options: CallOptions | undefined) {
  const path = `/v2/gn/pix/enviados/id-envio/${encodeURIComponent(ref)}`;
  return lookedUp(await connection.call({ method: 'GET', path, schema: sentSchema }, options));
}

function payoutBody({ ref, money, destination, recipient, verifyOwner, description }: PayoutInput, payingKey: string) {
  if (money.currency !== 'BRL') return unsupported(`no payouts in ${money.currency}`);
  if (!isPixKeyType(destination.type)) return unsupported(`no payouts to a ${destination.type}`);
  if (!/^[A-Za-z0-9]+$/.test(ref) || ref.length > idEnvioMaxCharacters)
    return unsupported('the reference is no idEnvio');
  const owner = verifyOwner ? parseDocument(recipient.document ?? '') : null;
  if (owner && !owner.ok) return unsupported('the owner cannot be verified without a document');
  return {
    valor: amountText(money.amount),
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

/** An earlier call may have arrived, also where this one is refused for another reason: the payout counts, if there is one. */
async function existingPayout(
  connection: BacenConnection,
  { payout, rejected }: { readonly payout: PayoutInput; readonly rejected?: Rejected },
  options: CallOptions | undefined,
): Promise<PayoutOutcome> {
  const state = await getPayout(connection, { payout }, options);
  switch (state.status) {
    case 'PROCESSING':
      return accepted(payout.ref, state.e2eId, 'EM_PROCESSAMENTO');
    case 'PAID':
      return accepted(payout.ref, state.e2eId, 'REALIZADO');
    case 'FAILED':
      return { kind: 'refused', code: state.code, message: state.message, raw: { status: 'NAO_REALIZADO' } };
    case 'NOT_FOUND':
      if (rejected && !isDuplicate(rejected)) return refusal(rejected);
      return {
        kind: 'unknown',
        cause: 'the provider knows the id, and does not find the payout',
        providerRef: payout.ref,
      };
    case 'DIFFERS':
      return unknownFor(state, payout.ref);
    case 'UNAVAILABLE':
      return { kind: 'unknown', cause: state.cause, providerRef: payout.ref };
  }
}

function isDuplicate({ status, body }: Rejected): boolean {
  return status === 409 || problemOf(body)?.code === 'id_envio_duplicado';
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
