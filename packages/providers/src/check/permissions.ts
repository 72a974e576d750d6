import type { FeedName } from '#src/feeds.ts';
import type { ProviderConfig } from '#src/providers-from-config.ts';

/** What is tried at a provider, each without moving money. */
export type TrialName =
  | 'read the balance'
  | 'read a charge'
  | 'read a payout'
  | 'read a refund'
  | `list ${FeedName}`
  | 'list statement'
  | 'register the webhook'
  | 'read the webhook';

interface ProviderPermissions {
  /** What the provider calls the permission for each. */
  readonly needs: Partial<Record<TrialName, string>>;
  /** What a payment takes beyond them and cannot be tried without one; compared with the scopes of the token. */
  readonly writes: readonly string[];
  /** Which members of the configuration make up the credentials. */
  readonly credentials: string;
}

const pixApi: ProviderPermissions['needs'] = {
  'read a charge': 'scope cob.read',
  'read a refund': 'scope pix.read',
  'list payments': 'scope pix.read',
  'list returns': 'scope pix.read',
  'list statement': 'scope pix.read',
  'register the webhook': 'scope webhook.write',
  'read the webhook': 'scope webhook.read',
};

/** The report of a day's movements is ordered, then fetched. */
const reports = ['gn.reports.write', 'gn.reports.read'];

/** The scopes of the Pix API 2.9.0 (Banco Central) and of Efí (dev.efipay.com.br), as the applications are given them. */
export const permissionsOf: Readonly<Record<ProviderConfig['kind'], ProviderPermissions>> = {
  bacen: {
    needs: pixApi,
    writes: ['cob.write', 'pix.write', 'webhook.write'],
    credentials: 'clientId and clientSecret',
  },
  efi: {
    needs: {
      ...pixApi,
      'read the balance': 'scope gn.balance.read',
      'read a payout': 'scope gn.pix.send.read',
      'list payouts': 'scope gn.pix.send.read',
      'list statement': 'scopes pix.read and gn.pix.send.read',
      'list disputes': 'scope gn.infractions.read',
    },
    writes: ['cob.write', 'pix.write', 'pix.send', 'webhook.write', 'gn.infractions.write', ...reports],
    credentials: 'clientId and clientSecret',
  },
  // developers.woovi.com, "Adicionando escopos ao seu AppID" (read in November 2026): an AppID without any may do everything.
  woovi: {
    needs: {
      'read the balance': 'AppID scope ACCOUNT_GET',
      'read a charge': 'an AppID scope for charges',
      'read a payout': 'an AppID scope for payments',
      'read a refund': 'an AppID scope for refunds',
      'list payments': 'an AppID scope for transactions',
      'list payouts': 'an AppID scope for transactions',
      'list disputes': 'an AppID scope for disputes',
      'list statement': 'AppID scope STATEMENT_GET',
      'register the webhook': 'an AppID scope for webhooks',
      'read the webhook': 'an AppID scope for webhooks',
    },
    writes: [],
    credentials: 'appId',
  },
  fintoc: { needs: {}, writes: [], credentials: 'secretKey' },
};
