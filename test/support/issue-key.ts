import { z } from 'zod';

const pairSchema = z.object({ public_key: z.string(), secret_key: z.string() });
const proposedSchema = z.object({ approval: z.object({ id: z.string() }) });
const appliedSchema = z.object({ approval: z.object({ outcome: z.unknown() }) });
const attemptsMax = 10;

type KeyPair = z.infer<typeof pairSchema>;
/** Posts as the first operator, or the second, and answers with the body. */
export type PostAs = (path: string, body: object, nth: 0 | 1) => Promise<unknown>;

/** A key pair of an account; a live one by two operators. */
export async function issueKey(post: PostAs, accountId: string, environment: 'test' | 'live'): Promise<KeyPair> {
  const path = `/ops/accounts/${accountId}/keys`;
  if (environment === 'test') return pairSchema.parse(await post(path, { environment }, 0));
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const { id } = proposedSchema.parse(await post(path, { environment }, 0)).approval;
    const { outcome } = appliedSchema.parse(await post(`/ops/approvals/${id}/approve`, {}, 1)).approval;
    // The second operator is shown the secret once, on a local stack alone. Where that answer was lost another key is issued.
    const shown = pairSchema.safeParse(outcome);
    if (shown.success) return shown.data;
  }
  throw new Error(`${attemptsMax} answers with the secret of a live key were lost`);
}
