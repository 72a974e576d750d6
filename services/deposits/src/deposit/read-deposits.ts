import type {
  getDeposit as getContract,
  listDeposits as listContract,
  showDeposits as showContract,
} from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import {
  ownedBy,
  queriesIn,
  readInTime,
  RecordList,
  wanted,
  type Condition,
  type Database,
  type PageAsked,
} from '@gateway/persistence';
import { presenters } from '@gateway/public-api/presenters';
import type { DepositDependencies } from '#src/deposit/dependencies.ts';
import { depositColumns } from '#src/deposit/deposit-entity.ts';
import { shownMembers, toDeposit, type ShownDeposit } from '#src/deposit/to-deposit.ts';
import { UnknownCursorError } from '#src/errors.ts';

export async function getDeposit(
  { depositReader }: DepositDependencies,
  request: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  return { deposit: toDeposit(await depositReader.find(request)) };
}

type Request = RequestOf<typeof listContract>;
type Reader = Pick<ReturnType<Database['reader']>, 'execute'>;

const list = new RecordList<ShownDeposit>({
  kind: 'deposit',
  from: 'deposit',
  columns: depositColumns.selectedFrom('deposit', shownMembers),
});

/**
 * By id: new records never move those of later pages. What no index finds is given up in time.
 *
 * @throws ValidationError where too many records would have to be read
 */
export async function listDeposits(
  { database }: DepositDependencies,
  request: Request,
): Promise<ReplyOf<typeof listContract>> {
  const page = isNarrowed(request)
    ? await readInTime(database, async (tx) =>
        list.page(queriesIn(tx), pageAsked(request, await paidIn(tx.em, request))),
      )
    : await list.page(database, pageAsked(request));
  if (!page) throw new UnknownCursorError();
  return { deposits: page.rows.map(toDeposit), nextCursor: page.nextCursor };
}

/** As `listDeposits`, in the contract that the merchant is answered in. */
export async function showDeposits(
  dependencies: DepositDependencies,
  { apiVersion, ...request }: RequestOf<typeof showContract>,
): Promise<ReplyOf<typeof showContract>> {
  const { deposits, nextCursor } = await listDeposits(dependencies, request);
  return { data: deposits.map(presenters[apiVersion].deposit), next_cursor: nextCursor };
}

function isNarrowed({ e2eId, currency, minAmount, maxAmount, payerDocument, metadata }: Request): boolean {
  return [e2eId, currency, minAmount, maxAmount, payerDocument, metadata].some((filter) => filter !== undefined);
}

/** One that is still being created is not. */
const isThere: Condition = { sql: `state <> 'CREATING'`, values: [] };

function pageAsked(request: Request, ids?: readonly string[]): PageAsked {
  const { status, externalId, currency, minAmount, maxAmount, payerDocument, metadata } = request;
  return {
    ...request,
    owned: [ownedBy(request), isThere],
    filters: [
      ...wanted('state = ?', status),
      ...wanted('external_id = ?', externalId),
      ...wanted('currency = ?', currency),
      ...wanted('amount >= ?', minAmount),
      ...wanted('amount <= ?', maxAmount),
      ...wanted('id = any(?)', ids),
      ...wanted(`payer ->> 'document' = ?`, payerDocument),
      ...wanted('metadata ->> ? = ?', metadata?.key, metadata?.value),
    ],
    // References sort as the ids do, and stand beside the document in its index.
    sortedBy: payerDocument === undefined ? 'id' : 'reference',
  };
}

async function paidIn(em: Reader, { e2eId }: Request): Promise<readonly string[] | undefined> {
  return e2eId === undefined ? undefined : await depositsPaidWith(em, e2eId);
}

/** The providers payments came from, found by one probe of the primary key each, and the payment at each. */
const paidWithSql = `
  with recursive known (environment, provider) as (
    (select environment, provider from payment order by environment, provider limit 1)
    union all
    select next.environment, next.provider from known cross join lateral (
      select environment, provider from payment
      where (environment, provider) > (known.environment, known.provider) order by environment, provider limit 1
    ) next
  ), known_transfer (environment, provider) as (
    (select environment, provider from transfer order by environment, provider limit 1)
    union all
    select next.environment, next.provider from known_transfer cross join lateral (
      select environment, provider from transfer
      where (environment, provider) > (known_transfer.environment, known_transfer.provider)
      order by environment, provider limit 1
    ) next
  )
  select deposit_id as id from known join payment using (environment, provider) where e2e_id = ?
  union
  select deposit_id from known_transfer join transfer using (environment, provider) where e2e_id = ?
  union
  select deposit_id from transfer where tracking_key = ?`;

/** The deposits that a payment or transfer with that id arrived for. */
export async function depositsPaidWith(em: Reader, e2eId: string): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(paidWithSql, [e2eId, e2eId, e2eId]);
  return rows.map(({ id }) => id);
}
