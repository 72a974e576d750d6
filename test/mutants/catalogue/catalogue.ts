import type { Mutant } from '../mutant.ts';
import { apiGateway } from './api-gateway.ts';
import { chapters } from './chapters.ts';
import { cli } from './cli.ts';
import { compat } from './compat.ts';
import { deposits } from './deposits.ts';
import { eventLog, eventStreams } from './event-log.ts';
import { explained } from './explained.ts';
import { identity } from './identity.ts';
import { ledger } from './ledger.ts';
import { mcp } from './mcp.ts';
import { messaging } from './messaging.ts';
import { payouts } from './payouts.ts';
import { persistence } from './persistence.ts';
import { providerFeeds } from './provider-feeds.ts';
import { providers } from './providers.ts';
import { pythonSdk } from './python-sdk.ts';
import { reconciler } from './reconciler.ts';
import { records } from './records.ts';
import { runtime } from './runtime.ts';
import { exportedFiles, statements } from './statements.ts';
import { teams } from './teams.ts';
import { typescriptSdk } from './typescript-sdk.ts';
import { webhooks } from './webhooks.ts';
import { witnesses } from './witnesses.ts';

/** The faults of each workspace, under its name. */
export const catalogue = {
  'api-gateway': [...apiGateway, ...teams, ...eventStreams, ...exportedFiles],
  compat,
  deposits,
  identity,
  ledger: [...ledger, ...chapters, ...witnesses],
  cli,
  mcp,
  messaging,
  payouts,
  persistence,
  'provider-feeds': providerFeeds,
  providers,
  'python-sdk': pythonSdk,
  reconciler: [...reconciler, ...explained, ...records, ...statements],
  runtime,
  'typescript-sdk': typescriptSdk,
  webhooks: [...webhooks, ...eventLog],
} satisfies Record<string, readonly Mutant[]>;
