import { depositQrResource } from '@gateway/contracts/deposits';
import type { LinkTokens } from '@gateway/runtime';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { unixSeconds } from '#src/deposit/to-deposit.ts';

/** Where the picture of a deposit's code is shown without credentials; null when nobody knows our address. */
export type QrUrlOf = (deposit: Pick<DepositRow, 'environment' | 'accountId' | 'id' | 'expiresAt'>) => string | null;

/** A payer who has the page open pays late, and is accepted; the picture stays that much longer. */
const marginSec = 3_600;

export function qrUrls(tokens: LinkTokens, publicUrl: string | undefined): QrUrlOf {
  if (publicUrl === undefined) return () => null;
  const base = publicUrl.replace(/\/+$/, '');
  return ({ environment, accountId, id, expiresAt }) => {
    const grant = { environment, accountId, expiresAt: unixSeconds(expiresAt) + marginSec };
    return `${base}/v1/deposits/${id}/qr.svg?token=${tokens.issue(depositQrResource(id), grant)}`;
  };
}
