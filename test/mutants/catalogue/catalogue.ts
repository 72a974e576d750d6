import type { Mutant } from '../mutant.ts';
import { apiGateway } from './api-gateway.ts';
import { deposits } from './deposits.ts';
import { ledger } from './ledger.ts';
import { messaging } from './messaging.ts';
import { payouts } from './payouts.ts';
import { providerFeeds } from './provider-feeds.ts';
import { providers } from './providers.ts';
import { runtime } from './runtime.ts';

/** The faults of each workspace, under its name. */
export const catalogue = {
  'api-gateway': apiGateway,
  deposits,
  ledger,
  messaging,
  payouts,
  'provider-feeds': providerFeeds,
  providers,
  runtime,
} satisfies Record<string, readonly Mutant[]>;
