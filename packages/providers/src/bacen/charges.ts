import { encodeDynamicBrCode, isChargeTxid, parseDocument } from '@gateway/pix';
import { asked } from '#src/certainty.ts';
import { amountText } from '#src/wire-amounts.ts';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { refusal } from '#src/bacen/problem.ts';
import { receiptOf } from '#src/bacen/received-pix.ts';
import { cobSchema, type Cob } from '#src/bacen/wire.ts';
import type { CancelChargeOutcome, ChargeInput, ChargeLookup, ChargeOutcome, ChargeState } from '#src/charges.ts';
import { differs, unknownFor } from '#src/differs.ts';
import { lookedUp, type Rejected } from '#src/http/classify.ts';
import type { CallOptions, NotSent } from '#src/outcomes.ts';

/**
 * `PUT /cob/{txid}`. The txid is ours, so a repeated request meets the charge of the first one: some providers answer
 * with it, others with 400 or 409. A rejection is therefore followed by a look at the charge before it counts.
 */
export async function createCharge(
  connection: BacenConnection,
  input: ChargeInput,
  options?: CallOptions,
): Promise<ChargeOutcome> {
  const unsupported = unsupportedCharge(input);
  if (unsupported) return unsupported;
  const body = chargeBody(input, connection.config.receivingKey);
  const outcome = await connection.pixApi(
    { method: 'PUT', path: cobPath(input.ref), body, schema: cobSchema },
    options,
  );
  switch (outcome.kind) {
    case 'answered':
      return chargeOutcome(connection, outcome.value, input);
    case 'rejected':
      return await existingCharge(connection, input, outcome, options);
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

export async function getCharge(
  connection: BacenConnection,
  { ref, charge }: ChargeLookup,
  options?: CallOptions,
): Promise<ChargeState> {
  const found = await findCob(connection, ref, options);
  if (found.status !== 'FOUND') return found;
  const cob = found.value;
  const foreign = cob.txid !== ref || (cob.pix ?? []).some(({ txid }) => txid !== undefined && txid !== ref);
  if (foreign) return { status: 'UNAVAILABLE', cause: 'the provider answered with another charge' };
  const receipts = (cob.pix ?? [])
    .map((pix) => asked(receiptOf(pix)))
    .sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
  if (isNotEmpty(receipts)) return { status: 'PAID', receipts };
  switch (cob.status) {
    case 'CONCLUIDA':
      return { status: 'UNAVAILABLE', cause: 'the charge is paid, and the provider does not say by what' };
    case 'REMOVIDA_PELO_PSP':
    case 'REMOVIDA_PELO_USUARIO_RECEBEDOR':
      return { status: 'CANCELED' };
    case 'ATIVA':
      // The Pix API has no expired state: a charge that is not paid stays active for ever.
      return connection.now() < expiresAtOf(cob, charge) ? { status: 'OPEN' } : { status: 'EXPIRED' };
  }
}

/** `PATCH /cob/{txid}`, allowed while the charge is active. */
export async function cancelCharge(
  connection: BacenConnection,
  { ref }: ChargeLookup,
  options?: CallOptions,
): Promise<CancelChargeOutcome> {
  const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
  const outcome = await connection.pixApi({ method: 'PATCH', path: cobPath(ref), body, schema: cobSchema }, options);
  switch (outcome.kind) {
    case 'answered':
      if (outcome.value.status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR') return { kind: 'accepted' };
      return { kind: 'unknown', cause: `the charge is ${outcome.value.status} after its removal` };
    case 'rejected': {
      const found = await findCob(connection, ref, options);
      if (found.status === 'FOUND' && found.value.status.startsWith('REMOVIDA')) return { kind: 'accepted' };
      const refused = refusal(outcome);
      if (refused.kind === 'unknown') return refused;
      return { kind: 'not_cancelable', message: refused.message, raw: refused.raw };
    }
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}

function unsupportedCharge({ ref, money }: ChargeInput): NotSent | null {
  const unsupported = (cause: string): NotSent => ({ kind: 'not_sent', reason: 'unsupported', cause });
  if (money.currency !== 'BRL') return unsupported(`no charges in ${money.currency}`);
  if (!isChargeTxid(ref)) return unsupported('the reference is no txid');
  return null;
}

/** Longest text a payment carries (pacs.008, RemittanceInformation). */
const remittanceTextMaxCharacters = 140;
/** `devedor.nome`. */
const payerNameMaxCharacters = 200;

function chargeBody({ money, expiresInSec, payer, description }: ChargeInput, receivingKey: string): object {
  const document = payer?.document === undefined ? null : parseDocument(payer.document);
  return {
    calendario: { expiracao: expiresInSec },
    // The schema wants name and document together, or neither.
    ...(document?.ok && payer?.name
      ? { devedor: { [document.kind]: document.value, nome: payer.name.slice(0, payerNameMaxCharacters) } }
      : {}),
    valor: { original: amountText(money.amount) },
    chave: receivingKey,
    ...(description ? { solicitacaoPagador: description.slice(0, remittanceTextMaxCharacters) } : {}),
  };
}

async function existingCharge(
  connection: BacenConnection,
  input: ChargeInput,
  rejected: Rejected,
  options: CallOptions | undefined,
): Promise<ChargeOutcome> {
  const found = await findCob(connection, input.ref, options);
  switch (found.status) {
    case 'FOUND':
      return chargeOutcome(connection, found.value, input);
    case 'NOT_FOUND':
      return refusal(rejected);
    case 'UNAVAILABLE':
      return { kind: 'unknown', cause: `rejected with ${rejected.status}, and ${found.cause}` };
  }
}

function chargeOutcome(connection: BacenConnection, cob: Cob, input: ChargeInput): ChargeOutcome {
  const other = differs(input, { ref: cob.txid, amount: cob.valor.original });
  if (other) return unknownFor(other, input.ref);
  const emv = codeOf(connection, cob, input);
  if (emv === null) return { kind: 'unknown', cause: 'the provider answered without a code and without a location' };
  const { txid } = cob;
  return {
    kind: 'accepted',
    charge: { kind: 'code', providerRef: txid, txid, emv, expiresAt: expiresAtOf(cob, input) },
  };
}

/** The provider's code, or one made of the charge's location: `pixCopiaECola` is optional in the standard. */
function codeOf({ config }: BacenConnection, cob: Cob, { money }: ChargeInput): string | null {
  if (cob.pixCopiaECola !== undefined) return cob.pixCopiaECola;
  const location = (cob.location ?? cob.loc?.location)?.replace(/^https:\/\//, '');
  if (location === undefined) return null;
  const { merchantName = 'RECEBEDOR PIX', merchantCity = 'BRASILIA' } = config;
  try {
    return encodeDynamicBrCode({ location, merchantName, merchantCity, amountCents: money.amount });
  } catch {
    return null;
  }
}

function expiresAtOf({ calendario }: Cob, input: ChargeInput): Date {
  const createdAt = calendario.criacao ?? input.createdAt;
  return new Date(createdAt.getTime() + calendario.expiracao * 1_000);
}

async function findCob(connection: BacenConnection, txid: string, options: CallOptions | undefined) {
  return lookedUp(await connection.pixApi({ method: 'GET', path: cobPath(txid), schema: cobSchema }, options));
}

function cobPath(txid: string): string {
  return `/cob/${encodeURIComponent(txid)}`;
}

function isNotEmpty<T>(receipts: T[]): receipts is [T, ...T[]] {
  return receipts.length > 0;
}
