import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@gateway/contracts/errors';
import type { ProviderBalance } from '@gateway/contracts/providers';
import { currenciesOn, type Currency } from '@gateway/money';
import { measureProviderCall } from '@gateway/provider-feeds';
import type { PaymentProvider, ProviderBalanceResult } from '@gateway/providers';
import { Books, moneyInFlight } from '#src/providers/booked-money.ts';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';
import { type Comparison, keepBalances, readBalances } from '#src/providers/provider-balance-table.ts';
import { ownFundsOf, unexplained } from '#src/providers/unexplained.ts';

const callTimeoutMs = 8_000;
/** A notification that is under way, or a ledger that is behind, explains a difference within this time. */
const settleMsDefault = 3_000;
const settlePauseMs = 500;

/** What a provider answered of one currency. */
interface HeldBalance {
  readonly provider: string;
  readonly currency: Currency;
  readonly held: number | null;
  readonly problem: string | null;
}

/**
 * Asks every live provider for its balance and compares it with the books: what the ledger has booked there, what is our
 * own, and what is on its way. Where they differ, the provider's lists are read at once, since they may
 * have money we have not heard of. What is left is reported to the ledger, for its reconciliations.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger or the payouts do not answer
 */
export async function compareProviderBalances(
  dependencies: ProvidersDependencies,
  settleMs: number = settleMsDefault,
): Promise<ProviderBalance[]> {
  const { database, chargeRoutes, booksElsewhere, announceProviders, now, logger } = dependencies;
  const asked = chargeRoutes.live.map(({ provider }) => provider).filter(({ capabilities }) => capabilities.balance);
  const known = await readBalances(database);
  const readings = [await readBooks(dependencies)];
  const answers = (await Promise.all(asked.map(askBalance))).flat();
  const compareAgain = async (): Promise<Comparison[]> => {
    readings.push(await readBooks(dependencies));
    return answers.map((each) => compare(each, ownFundsIn(known, each), readings));
  };
  let compared = await compareAgain();
  if (compared.some(isDiffering)) {
    const differing = new Set(compared.filter(isDiffering).map(({ provider }) => provider));
    await dependencies.feeds.readAtOnce('live', differing);
    compared = await compareAgain();
  }
  const patienceEndsAt = performance.now() + settleMs;
  while (compared.some(isDiffering) && performance.now() < patienceEndsAt) {
    await sleep(settlePauseMs);
    compared = await compareAgain();
  }
  const balances = await keepBalances(database, compared, now());
  announceProviders();
  await booksElsewhere.record(balances);
  for (const balance of balances) {
    if (balance.difference) logger.error({ balance }, 'a provider does not hold what the books say');
    else if (balance.problem !== null) logger.warn({ balance }, 'a provider could not be compared with the books');
  }
  return balances;
}

function isDiffering({ difference }: Comparison): boolean {
  return difference !== null && difference !== 0;
}

async function readBooks({ database, booksElsewhere }: ProvidersDependencies): Promise<Books> {
  const [here, { inFlight }] = await Promise.all([moneyInFlight(database, 'live'), booksElsewhere.payoutsInFlight()]);
  return new Books(await booksElsewhere.accounts(), [...here, ...inFlight]);
}

async function askBalance(provider: PaymentProvider): Promise<HeldBalance[]> {
  const signal = AbortSignal.timeout(callTimeoutMs);
  const outcomeOf = ({ ok }: ProviderBalanceResult) => (ok ? 'told' : 'not_told');
  const result = await measureProviderCall(provider.id, 'balance', outcomeOf, () => provider.balance({ signal }));
  if (result.ok) {
    return result.balances.map(({ currency, available, blocked }) => {
      return { provider: provider.id, currency, held: available + blocked, problem: null };
    });
  }
  return currenciesOn(provider.capabilities.rails).map((currency) => ({
    provider: provider.id,
    currency,
    held: null,
    problem: result.cause,
  }));
}

function compare({ held, ...answer }: HeldBalance, knownOwnFunds: number | null, books: readonly Books[]): Comparison {
  const readings = books.map((reading) => reading.at(answer.provider, answer.currency));
  const { booked = 0, inFlight = [] } = readings.at(-1) ?? {};
  if (held === null) return { ...answer, held, booked, inFlight, ownFunds: knownOwnFunds, difference: null };
  const ownFunds = knownOwnFunds ?? ownFundsOf(held, readings);
  if (ownFunds !== null) {
    return { ...answer, held, booked, inFlight, ownFunds, difference: unexplained(held, ownFunds, readings) };
  }
  const problem = 'our own funds are not known, and are found out when no money is on its way';
  return { ...answer, held, booked, inFlight, ownFunds, difference: null, problem };
}

function ownFundsIn(known: readonly ProviderBalance[], { provider, currency }: HeldBalance): number | null {
  const balance = known.find((each) => each.provider === provider && each.currency === currency);
  return balance?.ownFunds ?? null;
}

const intervalSec = 60;
const retrySec = 5;

/** Compares every minute, in one process of all; soon again when the other services do not answer. */
export async function compareWhenDue(dependencies: ProvidersDependencies): Promise<void> {
  const { database, logger } = dependencies;
  const dueIn = 'update provider_balance_round set due_at = now() + make_interval(secs => $1)';
  const claimed = await database.query(`${dueIn} where due_at <= now() returning due_at`, [intervalSec]);
  if (claimed.length === 0) return;
  try {
    await compareProviderBalances(dependencies);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    logger.warn({ err: error }, 'the books cannot be read yet');
    await database.query(dueIn, [retrySec]);
  }
}
