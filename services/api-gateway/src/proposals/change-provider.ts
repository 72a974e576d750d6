import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { listProviders, updateProvider } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentProvider, type providerPatchSchema, type ProviderResource } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval, requireUnchanged } from '#src/approvals/propose-approval.ts';

const depositsTimeoutMs = 4_000;

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
 * operators. Switching a provider off or on again is for one, at once.
 */
export function isForTwo({ environment, weight, own_funds: ownFunds }: ProviderPatch): boolean {
  return ownFunds !== undefined || (environment === 'live' && weight !== undefined);
}

/** @throws NotFoundError for one that is not configured */
export async function proposeProviderChange(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  { id, patch }: ProviderChange,
  reason: string | null,
): Promise<Approval> {
  const before = changedBy(patch, await readProvider(bus, { id, patch }));
  const target = `${patch.environment}/${id}`;
  const subject = { kind: 'provider.update', environment: patch.environment, accountId: null, target } as const;
  const proposal = { ...subject, request: { id, ...patch }, before, reason };
  return await database.transaction(async (tx) => proposeApproval(tx, act, proposal));
}

/** How an approved change of a provider is carried out; asked again, it finds that it was. */
export function providerChangeRules(bus: Bus): ApprovalRules {
  const apply = async ({ request, before, target }: Approval) => {
    const { id, ...patch } = request as unknown as ProviderPatch & { readonly id: string };
    const now = changedBy(patch, await readProvider(bus, { id, patch }));
    if (!isDeepStrictEqual(now, wantedBy(patch))) requireUnchanged(now, before);
    const changed = await callRpc(bus, updateProvider, providerRequest({ id, patch }), {
      timeoutMs: depositsTimeoutMs,
    });
    return async (tx: Tx, act: OperatorAct) => {
      const outcome = presentProvider(changed.provider);
      recordAudit(tx, act, {
        action: 'provider.update',
        target,
        before: presentProvider(changed.before),
        after: outcome,
      });
      return { outcome };
    };
  };
  return { apply };
}

/** The change in the words of the service that keeps providers. */
export function providerRequest({ id, patch: { own_funds: ownFunds, environment, enabled, weight } }: ProviderChange) {
  if (!ownFunds) return { id, environment, enabled, weight };
  const { currency, amount_cents: amount } = ownFunds;
  return { id, environment, enabled, weight, ownFunds: { currency, amount } };
}

async function readProvider(bus: Askable, { id, patch }: ProviderChange): Promise<ProviderResource> {
  const { providers } = await callRpc(bus, listProviders, {}, { timeoutMs: depositsTimeoutMs });
  const found = providers.find((provider) => provider.id === id && provider.environment === patch.environment);
  if (!found) throw new NotFoundError('provider');
  return presentProvider(found);
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
