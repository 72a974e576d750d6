import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { listProviders, updateProvider } from '@gateway/contracts/deposits';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import { listVenues, updateVenue } from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';
import { type Askable, type Bus, callRpc, NoAnswerError } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentProvider, presentVenue, type providerPatchSchema, type ProviderResource } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval, requireUnchanged } from '#src/approvals/propose-approval.ts';

const answerTimeoutMs = 4_000;

/** The body of a change, without the reason for it. */
export type ProviderPatch = Omit<z.output<typeof providerPatchSchema>, 'reason' | 'environment'> & {
  readonly environment: Environment;
};

export interface ProviderChange {
  readonly id: string;
  readonly patch: ProviderPatch;
}

/**
 * Own funds decide what reconciliation calls a difference, and a live weight decides where money goes: both take two
 * operators, and so does switching a live provider on that another operator switched off. Off is for one, at once, and on
 * again for the same one.
 */
export async function isForTwo(
  database: Database,
  { operator }: Pick<OperatorAct, 'operator'>,
  { id, patch: { environment, enabled, weight, own_funds: ownFunds } }: ProviderChange,
): Promise<boolean> {
  if (ownFunds !== undefined) return true;
  if (environment !== 'live') return false;
  if (weight !== undefined) return true;
  if (enabled !== true) return false;
  const switchedOff = await database.query(offByAnotherSql, [`${environment}/${id}`, operator]);
  return switchedOff.length > 0;
}

/** Since it was last on. A change whose answer did not come may have been that, and then a later one finds it off already. */
const offByAnotherSql = `
  select from audit
   where action = 'provider.update' and target = $1 and operator <> $2
     and (after is null or after ->> 'enabled' = 'false' and before ->> 'enabled' is distinct from 'false')
     and id > coalesce((
       select max(id) from audit
        where action = 'provider.update' and target = $1 and after ->> 'enabled' = 'true'
     ), '')
   limit 1`;

/** @throws NotFoundError for one that is not configured */
export async function proposeProviderChange(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  { id, patch }: ProviderChange,
  reason: string | null,
): Promise<Approval> {
  const provider = await readProvider(bus, { id, environment: patch.environment });
  if (provider.kind === 'exchange' && (patch.enabled !== undefined || patch.weight !== undefined)) {
    throw new ValidationError([{ path: 'own_funds', message: 'is all that changes of an exchange' }]);
  }
  const before = changedBy(patch, provider);
  const target = `${patch.environment}/${id}`;
  const subject = { kind: 'provider.update', environment: patch.environment, accountId: null, target } as const;
  const proposal = { ...subject, request: { id, ...patch }, before, reason };
  return await database.transaction(async (tx) => proposeApproval(tx, act, proposal));
}

/** How an approved change of a provider is carried out; asked again, it finds that it was. */
export function providerChangeRules(bus: Bus): ApprovalRules {
  const apply = async ({ request, before, target }: Approval) => {
    const { id, ...patch } = request as unknown as ProviderPatch & { readonly id: string };
    const provider = await readProvider(bus, { id, environment: patch.environment });
    const now = changedBy(patch, provider);
    if (!isDeepStrictEqual(now, wantedBy(patch))) requireUnchanged(now, before);
    const changed = await change(bus, { id, patch }, provider);
    return async (tx: Tx, act: OperatorAct) => {
      recordAudit(tx, act, { action: 'provider.update', target, ...changed });
      return { outcome: changed.after };
    };
  };
  return { apply };
}

async function change(bus: Bus, wanted: ProviderChange, { kind }: ProviderResource) {
  const request = providerRequest(wanted);
  if (kind === 'exchange' && request.ownFunds) {
    const { id, ownFunds } = request;
    const { before, venue } = await callRpc(bus, updateVenue, { id, ownFunds }, { timeoutMs: answerTimeoutMs });
    return { before: presentVenue(before), after: presentVenue(venue) };
  }
  const { before, provider } = await callRpc(bus, updateProvider, request, { timeoutMs: answerTimeoutMs });
  return { before: presentProvider(before), after: presentProvider(provider) };
}

/** The change in the words of the service that keeps providers. */
export function providerRequest({ id, patch: { own_funds: ownFunds, environment, enabled, weight } }: ProviderChange) {
  if (!ownFunds) return { id, environment, enabled, weight, ownFunds: undefined };
  const { currency, amount_cents: amount } = ownFunds;
  return { id, environment, enabled, weight, ownFunds: { currency, amount } };
}

/**
 * One of those that move payments, or an exchange.
 *
 * @throws NotFoundError
 * @throws NoAnswerError while a service that may know it does not answer
 */
export async function readProvider(
  bus: Askable,
  { id, environment }: { readonly id: string; readonly environment: Environment },
): Promise<ProviderResource> {
  const isWanted = (provider: ProviderResource) => provider.id === id && provider.environment === environment;
  const found = (await readPaymentProviders(bus)).find(isWanted) ?? (await readExchanges(bus)).find(isWanted);
  if (!found) throw new NotFoundError('provider');
  return found;
}

/** Those that move payments, and then the exchanges: without the latter while the ledger does not answer. */
export async function readProviders(bus: Askable): Promise<ProviderResource[]> {
  const exchanges = readExchanges(bus).catch((error: unknown) => {
    if (error instanceof NoAnswerError) return [];
    throw error;
  });
  return (await Promise.all([readPaymentProviders(bus), exchanges])).flat();
}

async function readPaymentProviders(bus: Askable): Promise<ProviderResource[]> {
  const { providers } = await callRpc(bus, listProviders, {}, { timeoutMs: answerTimeoutMs });
  return providers.map(presentProvider);
}

async function readExchanges(bus: Askable): Promise<ProviderResource[]> {
  const { venues } = await callRpc(bus, listVenues, {}, { timeoutMs: answerTimeoutMs });
  return venues.map(presentVenue);
}

/** What a change names, as the provider has it. */
function changedBy(patch: ProviderPatch, { enabled, weight, balances }: ProviderResource) {
  const { own_funds: ownFunds } = patch;
  const held = balances.find(({ currency }) => currency === ownFunds?.currency);
  return {
    ...(patch.enabled === undefined ? {} : { enabled }),
    ...(patch.weight === undefined ? {} : { weight }),
    ...(ownFunds && { own_funds: { currency: ownFunds.currency, amount_cents: held?.own_funds_cents ?? null } }),
  };
}

/** The same once it is made. */
function wantedBy({ enabled, weight, own_funds: ownFunds }: ProviderPatch) {
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(weight === undefined ? {} : { weight }),
    ...(ownFunds && { own_funds: { ...ownFunds } }),
  };
}
