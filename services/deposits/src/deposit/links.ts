import { depositPageResource, depositQrResource, evidenceResource } from '@gateway/contracts/deposits';
import { type Environment, unixSeconds } from '@gateway/contracts/values';
import { LinkTokens } from '@gateway/runtime';
import type { Config } from '#src/config.ts';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';

type DepositOfLink = Pick<DepositRow, 'environment' | 'accountId' | 'id' | 'expiresAt'>;

interface EvidenceOfLink {
  readonly environment: Environment;
  readonly accountId: string;
  readonly id: string;
  readonly createdAt: Date;
}

/** The links this service issues: valid without credentials, for one record and some time; null without a public address. */
export interface Links {
  /** The picture of a deposit's code. */
  readonly qrUrlOf: (deposit: DepositOfLink) => string | null;
  /** The hosted page of a deposit (api.md 3). */
  readonly pageUrlOf: (deposit: DepositOfLink) => string | null;
  /** The text of a piece of evidence as a document, which its provider fetches. */
  readonly evidenceUrlOf: (evidence: EvidenceOfLink) => string | null;
}

/** A payer who has the page open pays late, and is accepted; the picture stays that much longer. */
const qrMarginSec = 3_600;
/** A payer who comes back sees how it ended for that much longer. */
const pageMarginSec = 86_400;
/** Longer than any provider looks at a dispute. */
const evidenceLifetimeSec = 60 * 86_400;

export function linksOf({
  SECRETS_KEY: key,
  PUBLIC_URL: publicUrl,
}: Pick<Config, 'SECRETS_KEY' | 'PUBLIC_URL'>): Links {
  if (publicUrl === undefined) return { qrUrlOf: () => null, pageUrlOf: () => null, evidenceUrlOf: () => null };
  const tokens = new LinkTokens([key]);
  const base = publicUrl.replace(/\/+$/, '');
  return {
    qrUrlOf: ({ environment, accountId, id, expiresAt }) => {
      const grant = { environment, accountId, expiresAt: unixSeconds(expiresAt) + qrMarginSec };
      return `${base}/v1/deposits/${id}/qr.svg?token=${tokens.issue(depositQrResource(id), grant)}`;
    },
    pageUrlOf: ({ environment, accountId, id, expiresAt }) => {
      const grant = { environment, accountId, expiresAt: unixSeconds(expiresAt) + pageMarginSec };
      return `${base}/pay/${id}/${tokens.issue(depositPageResource(id), grant)}`;
    },
    evidenceUrlOf: ({ environment, accountId, id, createdAt }) => {
      const grant = { environment, accountId, expiresAt: unixSeconds(createdAt) + evidenceLifetimeSec };
      return `${base}/evidence/${id}/${tokens.issue(evidenceResource(id), grant)}`;
    },
  };
}
