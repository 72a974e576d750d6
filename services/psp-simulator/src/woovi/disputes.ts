import { z } from 'zod';
import {
  disputeColumns,
  disputeTables,
  listedByColumn,
  type Dispute,
  type DisputeStatus,
} from '#src/account/dispute.ts';
import { defend, findDispute } from '#src/movements/change-dispute.ts';
import {
  itemsPerPage,
  presentPageInfo,
  windowSchema,
  wooviDialect,
  WooviError,
  type WooviBank,
} from '#src/woovi/bank.ts';

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

/* The lookup, the list and the notification have names of their own for the same states, and none has them all. */

const foundStatuses = {
  OPEN: 'CREATED',
  UNDER_ANALYSIS: 'CREATED',
  ACCEPTED: 'ACCEPTED',
  REJECTED: 'REJECTED',
  CANCELED: 'CANCELED',
} as const satisfies Record<DisputeStatus, string>;

const listedStatuses = { ...foundStatuses, OPEN: 'IN_REVIEW', UNDER_ANALYSIS: 'IN_REVIEW' } as const;
const noticedStatuses = { ...foundStatuses, OPEN: 'OPENED', UNDER_ANALYSIS: 'OPENED' } as const;

function presentFacts({ e2eId, reason }: Dispute) {
  return {
    endToEndId: e2eId,
    name: 'FULANO DE TAL',
    email: 'fulano@example.com',
    phoneNumber: '+5511999999999',
    disputeReason: reason,
  };
}

/** `GET /api/v1/dispute/{id}`: the amount is text here, and there is no time. */
function presentFoundDispute(dispute: Dispute): object {
  const status = foundStatuses[dispute.status];
  return { ...presentFacts(dispute), status, value: String(dispute.amount), type: 'MED' };
}

/** `GET /api/v1/dispute`. */
function presentListedDispute(dispute: Dispute): object {
  return {
    ...presentFacts(dispute),
    status: listedStatuses[dispute.status],
    value: dispute.amount,
    type: 'MED',
    createdAt: dispute.openedAt.toISOString(),
    updatedAt: dispute.changedAt.toISOString(),
  };
}

/** In a notification. Its id, which evidence asks for, is in that of the opening alone. */
export function presentNoticedDispute(dispute: Dispute): object {
  const isOpen = dispute.status === 'OPEN' || dispute.status === 'UNDER_ANALYSIS';
  const status = noticedStatuses[dispute.status];
  return { ...presentFacts(dispute), status, value: dispute.amount, ...(isOpen ? { id: dispute.id } : {}) };
}
