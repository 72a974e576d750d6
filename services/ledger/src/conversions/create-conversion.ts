import type { createConversion as contract } from '@gateway/contracts/conversions';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { queriesIn, type Tx } from '@gateway/persistence';
import { conversionColumns, toConversion, type ConversionRow, type Exchange } from '#src/conversions/conversion-row.ts';
import { quoteLifetimeMs } from '#src/conversions/create-quote.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';
import { finishConversion } from '#src/conversions/finish-conversion.ts';
import { findQuote, hasEnded } from '#src/conversions/read-quote.ts';
import { priceExchange } from '#src/conversions/price-exchange.ts';
import { readPositions } from '#src/treasury/position.ts';

type Request = PayloadOf<{ payload: typeof contract.request }>;

/** How long after its rate has ended the ledger may still decide a conversion that was asked for in time. */
const decisionMarginMs = 60_000;
/** An agreed exchange, and until when its rate may be asked for. */
type RatedExchange = Exchange & { readonly rateEndsAtMs: number };

/** A racing call with the same external_id may win the claim and then fail; the claim is tried again then. */
const attemptsMax = 3;

/**
 * One conversion per (environment, account, external_id), and one per quote; the unique constraints decide between
 * racing calls. A conversion is claimed, then sent to the ledger, then completed. After a crash in between,
 * `finishConversion` continues from the claim under the same command id.
 */
export async function createConversion(
  dependencies: ConversionDependencies,
  request: Request,
): Promise<ReplyOf<typeof contract>> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const earlier = await findByExternalId(dependencies, request);
    if (earlier) {
      const ended = earlier.state === 'COMPLETED' ? earlier : await finish(dependencies, earlier);
      if (!('refusal' in ended)) return { created: false, conversion: toConversion(ended) };
      continue;
    }
    const claimed = await claim(dependencies, request);
    if (!claimed) continue;
    const ended = await finish(dependencies, claimed);
    if ('refusal' in ended) throw refusalOf(ended.refusal, claimed);
    return { created: true, conversion: toConversion(ended) };
  }
  throw new DomainError('SERVICE_UNAVAILABLE', 'other calls with this external_id have not ended yet', {
    retryAfterSec: 1,
  });
}

/**
 * A claimed conversion may be carried out, so "nothing was created" is no possible answer any more.
 *
 * @throws DomainError PROVIDER_TIMEOUT naming the conversion and its quote; the same call again answers its outcome
 */
async function finish(dependencies: ConversionDependencies, claimed: ConversionRow) {
  try {
    return await finishConversion(dependencies, claimed);
  } catch (error) {
    throw new DomainError('PROVIDER_TIMEOUT', 'the outcome is not known; repeat the call with the same external_id', {
      extra: { conversion_id: claimed.id, ...(claimed.quoteId === null ? {} : { quote_id: claimed.quoteId }) },
      cause: error,
    });
  }
}

async function findByExternalId({ database }: ConversionDependencies, request: Request) {
  const { environment, accountId, externalId } = request;
  const [row] = await database.query<ConversionRow>(
    `select ${conversionColumns} from conversion where environment = $1 and account_id = $2 and external_id = $3`,
    [environment, accountId, externalId],
  );
  return row;
}

/** Null when the external_id, or the quote for it, was taken in this moment: the next look-up finds by which call. */
async function claim(dependencies: ConversionDependencies, request: Request): Promise<ConversionRow | null> {
  const { environment, accountId, externalId, order } = request;
  const createdAtMs = dependencies.now();
  const { rateEndsAtMs, ...exchange } =
    order.kind === 'quoted'
      ? await usableQuote(dependencies, request, order.quoteId)
      : {
          ...(await priceExchange(dependencies.rates[environment], { ...order, fixed: 'from' })),
          rateEndsAtMs: createdAtMs + quoteLifetimeMs,
        };
  const row: ConversionRow = {
    id: newId('conversion', createdAtMs),
    environment,
    accountId,
    externalId,
    quoteId: order.kind === 'quoted' ? order.quoteId : null,
    state: 'CONVERTING',
    ...exchange,
    notAfter: new Date(rateEndsAtMs + decisionMarginMs),
    coveredBy: null,
    createdAt: new Date(createdAtMs),
  };
  return (await insertCovered(dependencies, row)) ? row : null;
}

const insertText = `
  insert into conversion (environment, account_id, id, external_id, quote_id, state, from_currency, to_currency,
    from_amount, to_amount, rate, not_after, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing returning id`;

function valuesOf(row: ConversionRow): unknown[] {
  return [
    ...[row.environment, row.accountId, row.id, row.externalId, row.quoteId, row.state],
    ...[row.from, row.to, row.fromAmount, row.toAmount, row.rate, row.notAfter, row.createdAt],
  ];
}

/** Any value: who promises USDT beside what others promise at the same moment counts theirs. */
const coverLock = 7_470_005;

/**
 * USDT is bought for what was converted; where that does not succeed, no more is promised than the operator has allowed.
 *
 * @returns false when its external_id or quote is taken
 * @throws DomainError SERVICE_UNAVAILABLE
 */
async function insertCovered({ database, uncoveredMax }: ConversionDependencies, row: ConversionRow): Promise<boolean> {
  if (row.environment !== 'live' || uncoveredMax === undefined) {
    return (await database.query(insertText, valuesOf(row))).length === 1;
  }
  return await database.transaction(async (tx) => {
    await tx.sql('select pg_advisory_xact_lock($1)', [coverLock]);
    const uncovered = await uncoveredOf(tx);
    const isInserted = (await tx.sql(insertText, valuesOf(row))).length === 1;
    // Where its external_id or quote is taken, this call owes nothing: how the other one ends is the answer.
    if (isInserted && uncovered + row.toAmount > uncoveredMax) throw uncoveredTooMuch();
    return isInserted;
  });
}

async function uncoveredOf(tx: Tx): Promise<number> {
  const positions = await readPositions(queriesIn(tx), { withUndecided: true });
  return positions.reduce((sum, position) => sum + Math.max(position.uncovered, 0), 0);
}

const coverRetrySec = 60;

function uncoveredTooMuch(): DomainError {
  return new DomainError(
    'SERVICE_UNAVAILABLE',
    'no more USDT is converted into until it has been bought for earlier conversions; nothing was taken, try again later',
    { retryAfterSec: coverRetrySec },
  );
}

/** @throws DomainError NOT_FOUND (also another account's), QUOTE_ALREADY_USED, QUOTE_EXPIRED, in this order */
async function usableQuote(
  { database, now }: ConversionDependencies,
  { environment, accountId, externalId }: Request,
  quoteId: string,
): Promise<RatedExchange> {
  const quote = await findQuote(database, { environment, accountId, id: quoteId });
  if (!quote) throw new NotFoundError('quote');
  // A racing call with the same external_id has just claimed it, so its outcome is the answer.
  const taken = quote.usedFor !== null && quote.usedFor !== externalId;
  if (taken) throw new DomainError('QUOTE_ALREADY_USED', 'the quote has served another conversion');
  if (quote.usedFor === null && hasEnded(quote, now())) throw quoteExpired();
  const { from, to, fromAmount, toAmount, rate } = quote;
  return { from, to, fromAmount, toAmount, rate, rateEndsAtMs: quote.expiresAt.getTime() };
}

function quoteExpired(): DomainError {
  return new DomainError('QUOTE_EXPIRED', 'the quote is too old; ask for a new one');
}

function refusalOf(refusal: string | null, { quoteId }: ConversionRow): Error {
  if (refusal === 'deadline_passed' && quoteId !== null) return quoteExpired();
  if (refusal === 'deadline_passed') {
    return new DomainError('SERVICE_UNAVAILABLE', 'the rate has moved on meanwhile; repeat the call', {
      retryAfterSec: 1,
    });
  }
  if (refusal === 'insufficient_funds') {
    return new DomainError('INSUFFICIENT_FUNDS', 'the available balance does not cover the conversion');
  }
  return new Error(`the ledger refused a conversion: ${refusal}`);
}
