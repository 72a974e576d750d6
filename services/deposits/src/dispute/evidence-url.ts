import { evidenceResource } from '@gateway/contracts/deposits';
import type { LinkTokens } from '@gateway/runtime';
import { unixSeconds } from '#src/deposit/to-deposit.ts';
import type { EvidenceRow } from '#src/dispute/dispute-entity.ts';

/** Where a provider fetches the text of a piece of evidence as a document; null when nobody knows our address. */
export type EvidenceUrlOf = (
  evidence: Pick<EvidenceRow, 'environment' | 'accountId' | 'id' | 'createdAt'>,
) => string | null;

/** Longer than any provider looks at a dispute. */
const lifetimeSec = 60 * 86_400;

export function evidenceUrls(tokens: LinkTokens, publicUrl: string | undefined): EvidenceUrlOf {
  if (publicUrl === undefined) return () => null;
  const base = publicUrl.replace(/\/+$/, '');
  return ({ environment, accountId, id, createdAt }) => {
    const grant = { environment, accountId, expiresAt: unixSeconds(createdAt) + lifetimeSec };
    return `${base}/evidence/${id}/${tokens.issue(evidenceResource(id), grant)}`;
  };
}
