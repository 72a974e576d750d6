import type { ItemKind } from '@gateway/contracts/reconciler';
import type { ReadMovement } from '@gateway/statement-files/read';

interface KindRule {
  readonly sign?: 1 | -1;
  /** The bank's word for the kind: TRNTYPE, the category of CNAB, the code of camt.053, a column of CSV. */
  readonly type?: RegExp;
  /** The description, without accents. */
  readonly text?: RegExp;
  /** What the id of the transfer begins with: `E` a payment, `D` its return. */
  readonly transfer?: RegExp;
  readonly kind: ItemKind;
}

/** What Brazilian banks write. The first rule that fits says what a line is. */
const brazilian: readonly KindRule[] = [
  { sign: -1, type: /^(?:FEE|SRVCHG|105)$|\/CHRG$/, kind: 'provider_fee' },
  { sign: -1, text: /\b(?:tarifas?|tar|iof)\b/i, kind: 'provider_fee' },
  { sign: -1, text: /\bMED\b|\binfracao\b|\bmecanismo especial\b/i, kind: 'dispute_return' },
  { sign: 1, text: /\bMED\b|\binfracao\b|\bmecanismo especial\b/i, kind: 'dispute_overturn' },
  { sign: -1, transfer: /^D/, kind: 'refund' },
  { sign: 1, transfer: /^D/, kind: 'payout_return' },
  { sign: -1, text: /\b(?:devolucao|devolvid[oa]|devol|estorno)\b/i, kind: 'refund' },
  { sign: 1, text: /\b(?:devolucao|devolvid[oa]|devol|estorno)\b/i, kind: 'payout_return' },
  { sign: 1, transfer: /^E/, kind: 'payment' },
  { sign: -1, transfer: /^E/, kind: 'payout' },
  { sign: 1, text: /\bpix\b/i, kind: 'payment' },
  { sign: -1, text: /\bpix\b/i, kind: 'payout' },
];

const mexican: readonly KindRule[] = [
  { sign: -1, type: /^(?:FEE|SRVCHG)$|\/CHRG$/, kind: 'provider_fee' },
  { sign: -1, text: /\b(?:comision|iva)\b/i, kind: 'provider_fee' },
  { sign: -1, text: /\b(?:devolucion|devuelto)\b/i, kind: 'refund' },
  { sign: 1, text: /\b(?:devolucion|devuelto)\b/i, kind: 'payout_return' },
  { sign: 1, text: /\bspei\b/i, kind: 'payment' },
  { sign: -1, text: /\bspei\b/i, kind: 'payout' },
];

/** The words are those of the country of the money. A provider with words of its own gets a table here, by its id. */
const tables: Readonly<Record<string, readonly KindRule[]>> = { BRL: brazilian, MXN: mexican };

/** What a line of a provider's file is; `other` where no rule knows it. */
export function kindOfMovement(
  { provider, currency }: { readonly provider: string; readonly currency: string },
  movement: Pick<ReadMovement, 'net' | 'type' | 'text' | 'e2eId'>,
): ItemKind {
  const rules = tables[provider] ?? tables[currency] ?? [];
  const text = movement.text.normalize('NFD').replace(/\p{M}/gu, '');
  const rule = rules.find(
    ({ sign, type, text: words, transfer }) =>
      (sign === undefined || sign === Math.sign(movement.net)) &&
      (type?.test(movement.type) ?? true) &&
      (words?.test(text) ?? true) &&
      (transfer?.test(movement.e2eId ?? '') ?? true),
  );
  return rule?.kind ?? 'other';
}
