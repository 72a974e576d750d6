import { z } from 'zod';

const pairSchema = z.object({ public_key: z.string(), secret_key: z.string() });
const proposedSchema = z.object({ approval: z.object({ id: z.string() }) });
const outcomeSchema = z.looseObject({ claim_url: z.string() });
const appliedSchema = z.object({ approval: z.object({ outcome: outcomeSchema }) });

type KeyPair = z.infer<typeof pairSchema>;
/** Posts as the first operator, or the second, and answers with the body. */
export type PostAs = (path: string, body: object, nth: 0 | 1) => Promise<unknown>;

/** A key pair of an account; a live one by two operators. */
export async function issueKey(post: PostAs, accountId: string, environment: 'test' | 'live'): Promise<KeyPair> {
  const issued = await post(`/ops/accounts/${accountId}/keys`, { environment }, 0);
  if (environment === 'test') return pairSchema.parse(issued);
  const { id } = proposedSchema.parse(issued).approval;
  const { outcome } = appliedSchema.parse(await post(`/ops/approvals/${id}/approve`, {}, 1)).approval;
  // The second operator is shown the secret once, on a local stack alone; the link has it wherever that answer was lost.
  const shown = pairSchema.safeParse(outcome);
  return shown.success ? shown.data : await openLink(outcome.claim_url);
}

/** What a merchant does with the link of a live key. */
async function openLink(url: string): Promise<KeyPair> {
  const opened = await fetch(url, { method: 'POST', headers: { accept: 'application/json' } });
  return pairSchema.parse(await opened.json());
}
