import { z } from 'zod';
import { NotFoundError } from '@gateway/contracts/errors';
import { getReceipt } from '@gateway/contracts/ledger';
import { callRpc, type TimedBus } from '@gateway/messaging';
import { isId } from '@gateway/money';
import { tlogProofText } from '@gateway/proof';
import type { receiptPendingSchema } from '@gateway/public-api';
import type { Answer } from '#src/http/endpoint.ts';
import type { Owner } from '#src/statements/entry-details.ts';

/** A checkpoint is signed within a minute of what it has. */
const retryAfterSec = 15;

export const receiptMedia = { 'text/plain': { type: 'string' } } as const;

/** Of a proof in text: never shown as a page, and kept under a name of its own. */
export function textAnswer(text: string, fileName: string): Answer {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, body: text, headers };
}

/**
 * The receipt of an entry, which is verified without us (C2SP tlog-proof).
 * @throws NotFoundError when the account has no such entry
 */
export async function answerReceipt(bus: TimedBus, owner: Owner, entryId: string): Promise<Answer> {
  if (!isId('ledgerEntry', entryId)) throw new NotFoundError('transaction');
  const { receipt } = await callRpc(bus, getReceipt, { ...owner, entryId });
  if (receipt === null) {
    const body: z.output<typeof receiptPendingSchema> = { id: entryId, status: 'PROCESSING' };
    return { status: 202, body, headers: { 'retry-after': String(retryAfterSec) } };
  }
  requireOnly(owner.accountId, receipt.link);
  const { link, index, checkpoint } = receipt;
  const hashes = receipt.hashes.map((hash) => Buffer.from(hash, 'base64'));
  return textAnswer(tlogProofText({ extra: Buffer.from(link), index, hashes, checkpoint }), `${entryId}.tlog-proof`);
}

/** The parts of a link: the last two are its postings and its entries, and whose they are. */
const linkSchema = z.array(z.unknown()).length(13);
const postingsSchema = z.array(z.tuple([z.string(), z.string()], z.unknown()));
const entriesSchema = z.array(z.tuple([z.string(), z.string()], z.unknown()));

/**
 * A link is shown whole, since its hash is what is proven. Every command moves the money of one account, and of our own:
 * a link with another merchant's in it is a bug, and stays here.
 */
function requireOnly(accountId: string, text: string): void {
  const link = linkSchema.parse(JSON.parse(text));
  const postings = postingsSchema.parse(link.at(-2)).filter(([, bucket]) => bucket !== 'system');
  const entries = entriesSchema.parse(link.at(-1));
  const owners = [...postings.map(([account]) => account), ...entries.map(([, account]) => account)];
  if (owners.some((owner) => owner !== accountId)) throw new Error('a link moves the money of another merchant');
}
