import type { z } from 'zod';
import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import {
  listDepositFeeds,
  listPayoutFeeds,
  listReconcilerFeeds,
  skipDepositFeed,
  skipPayoutFeed,
  skipReconcilerFeed,
  type FeedService,
  type FeedState,
} from '@gateway/contracts/providers';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentFeed, skipMsMax, type skipFeedRequestSchema } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

const ownerTimeoutMs = 8_000;

const rpcs = {
  deposits: { list: listDepositFeeds, skip: skipDepositFeed },
  payouts: { list: listPayoutFeeds, skip: skipPayoutFeed },
  reconciler: { list: listReconcilerFeeds, skip: skipReconcilerFeed },
} as const satisfies Record<FeedService, unknown>;

/** What is skipped of a list: from the moment at which it fails, up to another one. ISO 8601. */
type Skip = Pick<FeedState, 'service' | 'environment' | 'provider' | 'feed'> & {
  readonly from: string;
  readonly until: string;
};

/**
 * That a list is read on behind a part that its provider does not answer, for another operator to approve; it is tried on as
 * before until then. The part is what the operators see: where it begins does not change until they decide.
 *
 * @throws NotFoundError; DomainError INVALID_STATE for a list that is read; ValidationError naming `until`
 */
export async function proposeSkip(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  id: string,
  { until, reason }: z.infer<typeof skipFeedRequestSchema>,
): Promise<Approval> {
  const state = await findFeed(bus, id);
  const { service, environment, provider, feed, failsFrom: from } = state;
  if (from === null) throw new DomainError('INVALID_STATE', 'the list is read');
  const end = new Date(until);
  requireUntil(end, new Date(from), act.at);
  const request: Skip = { service, environment, provider, feed, from, until: end.toISOString() };
  const subject = { kind: 'feed.skip', environment, accountId: null, target: id } as const;
  const proposal = { ...subject, request, before: presentFeed(state), reason };
  return await database.transaction(async (tx) => proposeApproval(tx, act, proposal));
}

function requireUntil(until: Date, from: Date, now: Date): void {
  const refuse = (message: string) => new ValidationError([{ path: 'until', message }]);
  if (until <= from) throw refuse(`is not after ${from.toISOString()}, where the list fails`);
  if (until > now) throw refuse('is in the future');
  if (until.getTime() - from.getTime() > skipMsMax) throw refuse(`is too long after ${from.toISOString()}`);
}

/**
 * Carried out by the service that reads the list, once for an approval. What is skipped is a gap of the list from then on: it
 * is shown, raises its alert, and is read again every hour until it can be.
 */
export function skippingRules(bus: Bus): ApprovalRules {
  const apply = async ({ id: approvalId, target, request, reason }: Approval) => {
    const { service, ...part } = request as unknown as Skip;
    const asked = { ...part, approvalId, reason: reason ?? '' };
    const skipped = await callRpc(bus, rpcs[service].skip, asked, { timeoutMs: ownerTimeoutMs });
    return async (tx: Tx, act: OperatorAct) => {
      const [before, after] = [presentFeed(skipped.before), presentFeed(skipped.feed)];
      recordAudit(tx, act, { action: 'feed.skip', target, before, after });
      return { outcome: after };
    };
  };
  return { apply };
}

/** The service that reads it is the first part of its id. @throws NotFoundError */
export async function findFeed(bus: Askable, id: string): Promise<FeedState> {
  const service = id.split('.')[0] ?? '';
  if (!isFeedService(service)) throw new NotFoundError('feed');
  const { feeds } = await callRpc(bus, rpcs[service].list, {});
  const found = feeds.find((feed) => presentFeed(feed).id === id);
  if (!found) throw new NotFoundError('feed');
  return found;
}

function isFeedService(name: string): name is FeedService {
  return Object.hasOwn(rpcs, name);
}
