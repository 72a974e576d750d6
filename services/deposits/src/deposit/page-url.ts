import { depositPageResource } from '@gateway/contracts/deposits';
import type { LinkTokens } from '@gateway/runtime';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { unixSeconds } from '#src/deposit/to-deposit.ts';

/** The hosted page of a deposit (api.md 3); null when nobody knows our address. */
export type PageUrlOf = (deposit: Pick<DepositRow, 'environment' | 'accountId' | 'id' | 'expiresAt'>) => string | null;

/** A payer who comes back sees how it ended for that much longer. */
const marginSec = 86_400;

export function pageUrls(tokens: LinkTokens, publicUrl: string | undefined): PageUrlOf {
  if (publicUrl === undefined) return () => null;
  const base = publicUrl.replace(/\/+$/, '');
  return ({ environment, accountId, id, expiresAt }) => {
    const grant = { environment, accountId, expiresAt: unixSeconds(expiresAt) + marginSec };
    return `${base}/pay/${id}/${tokens.issue(depositPageResource(id), grant)}`;
  };
}
