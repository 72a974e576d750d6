import { z } from 'zod';
import { defend, findDispute } from '#src/movements/change-dispute.ts';
import { disputeColumns, disputeTables, type Dispute } from '#src/account/dispute.ts';
import { listedByColumn } from '#src/account/listed-by.ts';
import { WooviError, wooviDialect, type WooviBank } from '#src/woovi/bank.ts';
import { itemsPerPage, presentPageInfo, windowSchema } from '#src/woovi/page-query.ts';
import { presentFoundDispute, presentListedDispute } from '#src/woovi/present-dispute.ts';

/** `GET /api/v1/dispute/{id}`: by the payment's end-to-end id. */
export async function getDispute({ database }: WooviBank, id: string): Promise<object> {
  const dispute = await findDispute({ sql: database.query.bind(database) }, id);
  if (dispute?.dialect !== wooviDialect) throw new WooviError('Dispute not found');
  return { dispute: presentFoundDispute(dispute) };
}

/** `GET /api/v1/dispute`: those that changed in the period, or were opened in it. */
export async function listDisputes({ database }: WooviBank, query: unknown): Promise<object> {
  const window = windowSchema.parse(query);
  const at = await listedByColumn(database);
  const disputes = await database.query<Dispute>(
    `select ${disputeColumns} from ${disputeTables} where d.dialect = $1 and ${at} between $2 and $3
      order by ${at}, d.id limit $4`,
    [wooviDialect, window.start, window.end, itemsPerPage + 1],
  );
  const page = disputes.slice(0, itemsPerPage);
  return { pageInfo: presentPageInfo(disputes.length > itemsPerPage), disputes: page.map(presentListedDispute) };
}

const evidenceSchema = z.object({
  documents: z
    .array(
      z.object({ url: z.string().min(1), correlationID: z.string().optional(), description: z.string().optional() }),
    )
    .min(1),
});

/** `POST /api/v1/dispute/:id/evidence`; taken once per correlationID. */
export async function postEvidence({ database, dialects, now }: WooviBank, id: string, body: unknown): Promise<object> {
  const parsed = evidenceSchema.safeParse(body);
  if (!parsed.success) throw new WooviError('documents are required');
  return await database.transaction(async (tx) => {
    const dispute = await findDispute(tx, id);
    if (dispute?.dialect !== wooviDialect) throw new WooviError('Dispute not found');
    const known = new Set(dispute.documents.map(({ correlationID }) => correlationID));
    const documents = parsed.data.documents.filter(({ correlationID }) => !correlationID || !known.has(correlationID));
    const text = parsed.data.documents[0]?.description ?? '';
    const defended = await defend(tx, dialects, { dispute, text, documents, now: now() });
    if (!defended) throw new WooviError(`You cannot send a evidence for a ${dispute.status.toLowerCase()} dispute`);
    return { documents: parsed.data.documents };
  });
}
