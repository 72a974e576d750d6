import type { Freeze, FreezeLevel } from '@gateway/contracts/accounts';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { type Environment, environmentSchema } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import type { AccountResource, FreezeRequest, UnfreezeRequest } from '@gateway/public-api';
import { level as levelMetric, type Logger, startLoop } from '@gateway/runtime';
import { type AccountEntity, type AccountFreeze, freezesOf, toFreeze } from '#src/accounts/account.ts';
import { accountResourceOf, type AccountWatcher, lockAccount } from '#src/accounts/change-account.ts';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval, requireUnchanged } from '#src/approvals/propose-approval.ts';

type Frozen = Partial<Record<Environment, AccountFreeze | null>>;

/**
 * Stops an account, or one environment of it, at once and by one operator. A freeze that is there already is replaced, so
 * that the last reason counts, and an approval to lift the one before it is not carried out any more.
 *
 * @throws DomainError INVALID_STATE for a lower level than what is in force: that would lift a part of it, which takes two
 */
export async function freezeAccount(
  database: Database,
  watcher: AccountWatcher,
  act: OperatorAct,
  { id, level, environment, reason }: FreezeRequest & { readonly id: string },
): Promise<AccountResource> {
  if (!isId('account', id)) throw new NotFoundError('account');
  const freeze = { level, reason, by: act.operator, at: Math.floor(act.at.getTime() / 1_000) } as const;
  return await database.transaction(async (tx) => {
    const account = await lockAccount(tx, id);
    const environments = concerned(environment);
    const frozen = freezesOf(account);
    if (level === 'payouts' && environments.some((each) => frozen[each]?.level === 'writes')) {
      throw new DomainError('INVALID_STATE', 'all writes of the account are frozen; that is lifted by two operators');
    }
    return setFreezes(tx, watcher, act, account, {
      action: 'account.freeze',
      frozen: Object.fromEntries(environments.map((each) => [each, freeze])),
    });
  });
}

/**
 * Proposes that the freeze be lifted, for another operator to approve.
 *
 * @throws DomainError INVALID_STATE where nothing is frozen
 */
export async function proposeUnfreezing(
  database: Database,
  act: OperatorAct,
  { id, environment, reason }: UnfreezeRequest & { readonly id: string },
): Promise<Approval> {
  if (!isId('account', id)) throw new NotFoundError('account');
  return await database.transaction(async (tx) => {
    const before = inForce(await lockAccount(tx, id), environment);
    if (Object.keys(before).length === 0) throw new DomainError('INVALID_STATE', 'the account is not frozen');
    const request = { account_id: id, environment: environment ?? null };
    const subject = { kind: 'account.unfreeze', environment: environment ?? null, accountId: id, target: id } as const;
    return proposeApproval(tx, act, { ...subject, request, before, reason });
  });
}

/** How an approved lifting is carried out: of the freezes that the approver has seen, and of no later one. */
export function unfreezeRules(watcher: AccountWatcher): ApprovalRules {
  const apply =
    async ({ target, before, environment }: Approval) =>
    async (tx: Tx, act: OperatorAct) => {
      const account = await lockAccount(tx, target);
      const frozen = inForce(account, environment);
      requireUnchanged(frozen, before);
      const lifted = Object.fromEntries(Object.keys(frozen).map((each) => [each, null]));
      return { outcome: setFreezes(tx, watcher, act, account, { action: 'account.unfreeze', frozen: lifted }) };
    };
  return { apply };
}

/**
 * For what operators do in the name of an account, read from the database: the memory of the keys may be a second behind.
 *
 * @throws DomainError ACCOUNT_FROZEN
 */
export async function requireNoFreeze(
  database: Database,
  { accountId, environment }: { readonly accountId: string; readonly environment: Environment },
): Promise<void> {
  const frozen = await freezeOf(database, { accountId, environment });
  if (!frozen) return;
  throw new DomainError(
    'ACCOUNT_FROZEN',
    `the account is frozen (${frozen.level}): lift the freeze before its payout is approved, or refuse the payout`,
  );
}

/** What is in force now, from the database. */
export async function freezeOf(
  database: Database,
  { accountId, environment }: { readonly accountId: string; readonly environment: Environment },
): Promise<Freeze | null> {
  const [row] = await database.query<{ frozen: AccountFreeze | null }>(
    `select frozen_${environment} as frozen from account where id = $1`,
    [accountId],
  );
  return toFreeze(row?.frozen ?? null);
}

const sampleIntervalMs = 10_000;
const frozenAccounts = levelMetric('gateway_accounts_frozen', 'Accounts that operators have frozen', [
  'environment',
  'level',
]);

/** Counts the accounts that are frozen. */
export function sampleFreezes(database: Database, logger: Logger): AsyncDisposable {
  const work = async () => {
    const counted = await database.query<{ environment: Environment; level: FreezeLevel; accounts: number }>(
      `select environment, frozen ->> 'level' as level, count(*) as accounts
         from account, lateral (values ('live', frozen_live), ('test', frozen_test)) as each (environment, frozen)
        where (frozen_live is not null or frozen_test is not null) and frozen is not null
        group by 1, 2`,
    );
    frozenAccounts.reset();
    for (const { environment, level, accounts } of counted) frozenAccounts.set(accounts, { environment, level });
  };
  return startLoop({ name: 'count frozen accounts', intervalMs: sampleIntervalMs, logger, work });
}

function concerned(environment: Environment | null | undefined): readonly Environment[] {
  return environment ? [environment] : environmentSchema.options;
}

function inForce(account: AccountEntity, environment: Environment | null | undefined): Frozen {
  const frozen = freezesOf(account);
  return Object.fromEntries(
    concerned(environment).flatMap((each) => (frozen[each] ? [[each, frozen[each]] as const] : [])),
  );
}

interface FreezeChange {
  readonly action: 'account.freeze' | 'account.unfreeze';
  /** Only the environments that change. */
  readonly frozen: Frozen;
}

/** The account's version grows, by which every process that remembers a key of it learns that it has to read it again. */
function setFreezes(
  tx: Tx,
  watcher: AccountWatcher,
  act: OperatorAct,
  account: AccountEntity,
  { action, frozen }: FreezeChange,
): AccountResource {
  const before = accountResourceOf(account);
  tx.em.assign(account, {
    ...(frozen.live === undefined ? {} : { frozenLive: frozen.live }),
    ...(frozen.test === undefined ? {} : { frozenTest: frozen.test }),
    version: account.version + 1,
    updatedAt: act.at,
  });
  const after = accountResourceOf(account);
  recordAudit(tx, act, { action, target: account.id, before, after });
  tx.afterCommit(() => watcher.announceAccountChanged(account.id));
  return after;
}
