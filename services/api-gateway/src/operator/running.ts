import { listProviders } from '@gateway/contracts/deposits';
import type { OperatorPermission } from '@gateway/contracts/identity';
import { listLedgerWriters, listReconciliations, listVenues } from '@gateway/contracts/ledger';
import { messageLagRpc, serviceNames } from '@gateway/contracts/messages';
import type { Environment } from '@gateway/contracts/values';
import { getTotals } from '@gateway/contracts/webhooks';
import { type Askable, callRpc } from '@gateway/messaging';
import {
  presentLedgerWriter,
  presentMessageLag,
  presentProvider,
  presentReconciliation,
  presentTotals,
  presentVenue,
  type ProviderResource,
} from '@gateway/public-api';
import { askSources, type Source } from '#src/operator/ask-sources.ts';
import { boundsOf } from '#src/statements/totals-period.ts';

/** What a service does not answer within this time is left out, and the service is named. */
const sourceTimeout = { timeoutMs: 800 };
const ofLastDay = { by: 'hour', zone: 'UTC' } as const;

interface Asked {
  readonly environment: Environment | undefined;
  readonly may: (permission: OperatorPermission) => boolean;
  readonly at: Date;
}

/** How the gateway is, as far as the caller may see it: what was paid, its providers, its books and its messages. */
export async function readRunning(bus: Askable, { environment, may, at }: Asked) {
  const ofEnvironment = (each: { readonly environment: Environment }) =>
    environment === undefined || each.environment === environment;
  const period = { environment: environment ?? 'live', ...boundsOf(ofLastDay, at), ...ofLastDay };
  const operations = may('operations:read');
  const [totals, providers, messages, writers, runs] = await Promise.all([
    ask(may('balances:read'), [
      { name: 'webhooks', read: async () => [presentTotals(await callRpc(bus, getTotals, period, sourceTimeout))] },
    ]),
    ask(operations, providerSources(bus)),
    ask(
      operations,
      serviceNames.map((name) => ({
        name,
        read: async () => [presentMessageLag(name, await callRpc(bus, messageLagRpc(name), {}, sourceTimeout))],
      })),
    ),
    ask(operations, [
      {
        name: 'ledger',
        read: async () => (await callRpc(bus, listLedgerWriters, {}, sourceTimeout)).writers.map(presentLedgerWriter),
      },
    ]),
    ask(operations, [
      {
        name: 'ledger',
        read: async () => (await callRpc(bus, listReconciliations, { limit: 1 }, sourceTimeout)).reconciliations,
      },
    ]),
  ]);
  const [run] = runs.found ?? [];
  return {
    parts: {
      totals: totals.found?.[0] ?? null,
      providers: providers.found?.filter(ofEnvironment) ?? null,
      last_reconciliation: run ? presentReconciliation(run) : null,
      messages: messages.found,
      ledger_writers: writers.found?.filter(ofEnvironment) ?? null,
    },
    incomplete: [totals, providers, messages, writers, runs].flatMap((each) => each.incomplete),
  };
}

/** What the caller may not see is not asked for. */
async function ask<Found>(isAllowed: boolean, sources: readonly Source<Found>[]) {
  return isAllowed ? await askSources(sources) : { found: null, incomplete: [] };
}

/** Those that move payments, and exchanges. */
function providerSources(bus: Askable): Source<ProviderResource>[] {
  return [
    {
      name: 'deposits',
      read: async () => (await callRpc(bus, listProviders, {}, sourceTimeout)).providers.map(presentProvider),
    },
    {
      name: 'ledger',
      read: async () => (await callRpc(bus, listVenues, {}, sourceTimeout)).venues.map(presentVenue),
    },
  ];
}
