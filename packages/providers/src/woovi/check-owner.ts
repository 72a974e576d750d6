import type { CallOptions, NotSent, Refused, Unknown } from '#src/outcomes.ts';
import type { PayoutInput } from '#src/payouts.ts';
import { refusal, type WooviConnection } from '#src/woovi/connection.ts';
import { keyCheckSchema } from '#src/woovi/wire.ts';

/** The lookup's end-to-end id, under which the payment has to be made. */
export interface CheckedKey {
  readonly kind: 'owned';
  readonly pixKeyEndToEndId?: string;
}

/**
 * `GET /api/v1/pix-keys/{pixKey}/check`: who the directory says the key belongs to. Nothing has been paid yet, so whatever
 * goes wrong here is certain: the payment was not sent.
 */
export async function checkOwner(
  connection: WooviConnection,
  { destination, recipient }: PayoutInput,
  options?: CallOptions,
): Promise<CheckedKey | Refused | NotSent> {
  if (!recipient.document) {
    return { kind: 'not_sent', reason: 'unsupported', cause: 'the owner cannot be verified without a document' };
  }
  const path = `/api/v1/pix-keys/${encodeURIComponent(destination.value)}/check`;
  const outcome = await connection.call({ method: 'GET', path, schema: keyCheckSchema }, options);
  switch (outcome.kind) {
    case 'answered': {
      const { owner, pixKeyEndToEndId } = outcome.value;
      if (isSameDocument(owner.taxID, recipient.document)) {
        return { kind: 'owned', pixKeyEndToEndId: pixKeyEndToEndId ?? undefined };
      }
      const message = "the key's holder has another document than the recipient";
      return { kind: 'refused', code: 'owner_mismatch', message, raw: { check: 'holder differs' } };
    }
    case 'rejected': {
      const refused = outcome.status === 404 ? keyNotFound(outcome.body) : refusal(outcome);
      return refused.kind === 'refused' ? refused : notChecked(refused);
    }
    case 'not_sent':
      return outcome.status === forbidden ? notEnabled : outcome;
    case 'unknown':
      return notChecked(outcome);
  }
}

const forbidden = 403;

/** Woovi looks owners up for accounts it has enabled that for. It knows us, so our credentials are right. */
const notEnabled: NotSent = {
  ...{ kind: 'not_sent', reason: 'unsupported' },
  cause: 'this account may not look up the owner of a key',
};

function keyNotFound(raw: unknown): Refused {
  return { kind: 'refused', code: 'key_not_found', message: 'no account is registered under the key', raw };
}

function notChecked({ cause }: Unknown): NotSent {
  return { kind: 'not_sent', reason: 'unreachable', cause: `the key could not be checked: ${cause}` };
}

/** Characters a masked document has to show before it proves anything. */
const visibleCharactersMin = 6;

/** Providers mask a CPF as `***.456.789-**`: what is visible has to agree, and has to be enough. */
function isSameDocument(reported: string, expected: string): boolean {
  const plain = reported.replace(/[./\s-]/g, '').toUpperCase();
  const wanted = expected.toUpperCase();
  if (plain.length !== wanted.length) return false;
  const visible = plain.replaceAll('*', '').length;
  return visible >= visibleCharactersMin && plain.split('').every((char, at) => char === '*' || char === wanted[at]);
}
