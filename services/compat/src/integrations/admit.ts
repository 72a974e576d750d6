import type { Caller, PresentedCaller } from '@gateway/contracts/accounts';
import type { IntegrationPrefix } from '@gateway/contracts/connector';
import { DomainError } from '@gateway/contracts/errors';
import type { Database } from '@gateway/persistence';
import { isWithin } from '@gateway/runtime/http';
import type { IntegrationRow } from '#src/integrations/integration-row.ts';

/** Where a call came in, and from where. */
export interface Arrival {
  readonly prefix: IntegrationPrefix;
  /** The client's address, as the gateway saw it. */
  readonly address: string;
}

/**
 * What the gateway is to do about a key's own allowlist (spec 5.5): the second connector's is the operators' matter.
 */
export function keyAllowlistRule({ prefix }: Arrival): 'refused' | 'told' {
  return prefix === 'alt' ? 'told' : 'refused';
}

/**
 * Lets a caller in unless an operator has restricted its integration. Read for every call, so that a restriction is in
 * force for the next one. The addresses an operator has set for the second connector stand in the place of the key's
 * own list (spec 4.1, rule 4); while there are none, the key's own holds there as everywhere.
 *
 * @throws DomainError AUTH_IP_BLOCKED from outside the addresses of the integration, or of the key
 */
export async function admit(database: Database, caller: PresentedCaller, arrival: Arrival): Promise<void> {
  const addresses = (await findIntegration(database, caller, arrival))?.ip_allowlist ?? [];
  if (addresses.length > 0 && !isWithin(addresses, arrival.address)) {
    throw new DomainError('AUTH_IP_BLOCKED', 'calls from this address are not allowed for this integration');
  }
  if (addresses.length === 0 && caller.outsideAllowlist) {
    throw new DomainError('AUTH_IP_BLOCKED', 'the key may not be used from this address');
  }
}

/**
 * @throws DomainError LIMIT_REACHED when an operator has switched payouts off: a limit of zero, answered with the status
 *   that the connector has for payouts that cannot be made (api.md 4)
 */
export async function admitPayout(database: Database, caller: Caller, arrival: Arrival): Promise<void> {
  const row = await findIntegration(database, caller, arrival);
  if (row && !row.payouts_enabled) {
    throw new DomainError('LIMIT_REACHED', 'payouts are switched off for this integration');
  }
}

async function findIntegration(database: Database, { account }: Caller, { prefix }: Arrival) {
  const [row] = await database.query<IntegrationRow>(
    'select * from integration where account_id = $1 and prefix = $2',
    [account.id, prefix],
  );
  return row;
}
