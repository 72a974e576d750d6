/** An end-to-end id: `E` or `D` (a return), the ISPB of the bank, and what it counts. */
const endToEnd = /^[ED]\d{8}\w{23}$/;
/** Digits of a document, as people write them: `529.982.247-25`. */
const written = /^[\d./-]+$/;
const documentLengths: ReadonlySet<number> = new Set([11, 14]);

interface SearchQueries {
  readonly payments: readonly { e2e_id?: string; external_id?: string; payer_document?: string }[];
  readonly payouts: readonly { e2e_id?: string; external_id?: string; recipient_document?: string }[];
}

/** What payments and payouts are asked for: an end-to-end id alone where it is one, else a reference, which may be a document too. */
export function searchQueries(q: string): SearchQueries {
  if (endToEnd.test(q)) return { payments: [{ e2e_id: q }], payouts: [{ e2e_id: q }] };
  const digits = q.replace(/\D/g, '');
  const isDocument = written.test(q) && documentLengths.has(digits.length);
  return {
    payments: [{ external_id: q }, ...(isDocument ? [{ payer_document: digits }] : [])],
    payouts: [{ external_id: q }, ...(isDocument ? [{ recipient_document: digits }] : [])],
  };
}
