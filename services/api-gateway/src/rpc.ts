import {
  authenticateKey,
  getAuditedAdjustments,
  getCaller,
  getFreeze,
  getKeyHolder,
  type PresentedCaller,
} from '@gateway/contracts/accounts';
import { DomainError } from '@gateway/contracts/errors';
import { listGatewayRecordEvents } from '@gateway/contracts/webhooks';
import { answering, type RpcRoute } from '@gateway/messaging';
import { readRecordEvents, type Database } from '@gateway/persistence';
import { authenticateKeyPair, callerOf, holderOf } from '#src/accounts/authenticate-key.ts';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { freezeOf } from '#src/accounts/freeze-account.ts';
import { exportEvents } from '#src/exports/export.ts';
import { requireAllowed, type KeyLimits } from '#src/limits/key-limits.ts';
import { readAuditedAdjustments } from '#src/proposals/audited-adjustments.ts';

export interface RpcDeps {
  readonly database: Database;
  readonly directory: CallerDirectory;
  readonly limits: KeyLimits;
}

/**
 * What other services may ask the gateway. The connector's question about a key is a request of that key and counts as one;
 * whose key it is, deposits and payouts ask while they carry such a request out, and what is frozen, payouts
 * before it sends what it let in earlier.
 */
export function rpcRoutes({ database, directory, limits }: RpcDeps): RpcRoute[] {
  const metered = async (identified: Promise<PresentedCaller>): Promise<PresentedCaller> => {
    const caller = await identified;
    // What the connector does is no operation of a scope.
    if (caller.scopes) throw new DomainError('SCOPE_MISSING', 'the connector takes a key without limits');
    requireAllowed(limits.take(caller, performance.now()));
    return caller;
  };
  return [
    answering(authenticateKey, ({ secretDigest, ...request }) =>
      metered(authenticateKeyPair(directory, { ...request, secretDigest: Buffer.from(secretDigest, 'hex') })),
    ),
    answering(getCaller, (request) => metered(callerOf(directory, request))),
    answering(getKeyHolder, ({ publicKey }) => holderOf(directory, publicKey)),
    answering(getAuditedAdjustments, (request) => readAuditedAdjustments(database, request)),
    answering(listGatewayRecordEvents, (page) => readRecordEvents(database, exportEvents, page)),
    answering(getFreeze, async (request) => ({ frozen: await freezeOf(database, request) })),
  ];
}
