import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getProviderAccounts, recordProviderBalances } from '@gateway/contracts/ledger';
import type { RequestOf } from '@gateway/contracts/messages';
import { getPayoutsInFlight } from '@gateway/contracts/payouts';
import type { MoneyInFlight } from '@gateway/contracts/providers';
import { answering, readWaiting, serveRpc } from '@gateway/messaging';
import type { Feed, PaymentProvider, ProviderBalanceResult } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { silentLogger } from '@gateway/test-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { withFeeds } from '#src/provider-feed/deposit-feeds.ts';
import { moneyInFlight } from '#src/providers/booked-money.ts';
import { compareProviderBalances } from '#src/providers/compare-provider-balances.ts';
import { listProviders, updateProvider } from '#src/providers/operate-providers.ts';
import { createRefund } from '#src/refund/create-refund.ts';
import { waitingReturns } from '#src/resolution/waiting-returns.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
let served: AsyncDisposable;
let answer: ProviderBalanceResult;
let booked = 0;
let payouts: MoneyInFlight[] = [];
let recorded: RequestOf<typeof recordProviderBalances>['balances'] = [];

beforeAll(async () => {
  stage = await Stage.open();
  const routes = [
    answering(getProviderAccounts, async () => ({
      accounts: [{ provider: 'bank', currency: 'BRL' as const, booked }],
    })),
    answering(getPayoutsInFlight, async () => ({ inFlight: payouts })),
    answering(recordProviderBalances, async ({ balances }) => ((recorded = balances), {})),
  ];
  served = await serveRpc(stage.bus, routes, silentLogger);
});
beforeEach(async () => {
  await stage.dependencies.database.query('delete from provider_balance');
  [booked, payouts] = [10_000, []];
  holding(60_000);
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

function holding(available: number, blocked = 0): void {
  answer = { ok: true, balances: [{ currency: 'BRL', available, blocked }] };
}

/** A bank that answers its balance, and one that does not. */
function atBank(feeds: readonly Feed[] = []): Dependencies {
  const wired = stage.onTheWire({ id: 'bank', balance: async () => answer, feeds }, { id: 'silent' });
  const live = wired.chargeRoutes.test.map((route) => ({ ...route, provider: withBalance(route.provider) }));
  return withFeeds({ ...wired, chargeRoutes: { test: [], live } });
}

function withBalance(provider: PaymentProvider): PaymentProvider {
  return { ...provider, capabilities: { ...provider.capabilities, balance: provider.id === 'bank', rails: ['PIX'] } };
}

const compare = async () => (await compareProviderBalances(atBank(), 0))[0]!;
const inFlight = async () => {
  const found = await moneyInFlight(stage.dependencies.database, 'test');
  return new Map(found.map(({ what, atLeast, atMost }) => [what, [atLeast, atMost]]));
};

describe("a provider's balance", () => {
  test('beyond the books is taken for our own at first, and every cent that changes after that is told', async () => {
    expect(await compare()).toMatchObject({ held: 60_000, booked: 10_000, ownFunds: 50_000, difference: 0 });
    [booked] = [12_000];
    holding(61_000, 1_000);
    expect(await compare()).toMatchObject({ difference: 0, differsSince: null });
    holding(61_999);
    const differing = await compare();
    expect(differing).toMatchObject({ difference: -1, differsSince: differing.comparedAt });
    const waiting = await readWaiting(stage.dependencies.database, waitingReturns);
    expect(waiting).toContainEqual(
      expect.objectContaining({ kind: 'provider_difference', count: 1, oldestAt: differing.comparedAt }),
    );
    stage.passSeconds(60);
    const later = await compare();
    expect(later).toMatchObject({ difference: -1, differsSince: differing.differsSince });
    expect(later.comparedAt).toBe(differing.comparedAt + 60);
    expect(recorded).toMatchObject([{ provider: 'bank', currency: 'BRL', difference: -1, problem: null }]);
    const { providers } = await listProviders(atBank());
    expect(providers).toMatchObject([
      { id: 'bank', balances: [{ difference: -1 }] },
      { id: 'silent', balances: [] },
    ]);
  });

  test('is explained by what an operator says is our own', async () => {
    await compare();
    holding(59_000);
    expect(await compare()).toMatchObject({ difference: -1_000 });
    const ownFunds = { currency: 'BRL', amount: 49_000 } as const;
    const { before, provider } = await updateProvider(atBank(), { environment: 'live', id: 'bank', ownFunds });
    expect([before.balances[0]?.ownFunds, provider.balances[0]?.ownFunds]).toEqual([50_000, 49_000]);
    expect(await compare()).toMatchObject({ difference: 0 });
    for (const [id, currency] of [
      ['silent', 'BRL'],
      ['bank', 'MXN'],
    ] as const) {
      const refused = updateProvider(atBank(), { environment: 'live', id, ownFunds: { currency, amount: 1 } });
      await expect(refused).rejects.toMatchObject({ details: [{ path: 'own_funds' }] });
    }
  });

  test('may lack a payout that is under way, and no more; what is our own is not guessed meanwhile', async () => {
    const bounds = { provider: 'bank', currency: 'BRL', atLeast: -700, atMost: 0 } as const;
    payouts = [{ ...bounds, what: 'payouts_under_way' }];
    expect(await compare()).toMatchObject({ ownFunds: null, difference: null });
    payouts = [];
    await compare();
    payouts = [{ ...bounds, what: 'payouts_under_way' }];
    holding(59_300);
    expect(await compare()).toMatchObject({ difference: 0, inFlight: [{ what: 'payouts_under_way' }] });
    holding(59_299);
    expect(await compare()).toMatchObject({ difference: -1 });
  });

  test('that changes while it is asked agrees as soon as the books have followed', async () => {
    await compare();
    holding(60_500);
    const dependencies = atBank();
    const { accounts } = dependencies.booksElsewhere;
    let readings = 0;
    const late = async () => {
      if (++readings === 3) booked += 500;
      return await accounts();
    };
    const behind = { ...dependencies, booksElsewhere: { ...dependencies.booksElsewhere, accounts: late } };
    expect(await compareProviderBalances(behind)).toMatchObject([{ difference: 0 }]);
    expect(readings).toBe(3);
  });

  test('that differs has the lists read at once: it may tell of money nobody has heard of', async () => {
    await compare();
    holding(60_300);
    let lists = 0;
    const payments: Feed = {
      ...{ name: 'payments', windowBy: 'change', rereadAfterHours: [] },
      readPage: async ({ to }) => {
        expect(to).toEqual(stage.dependencies.now());
        booked = 10_300;
        lists += 1;
        return { kind: 'page', rows: [], next: null };
      },
      read: () => ({ kind: 'pointer', events: [] }),
    };
    const listing = atBank([payments]);
    expect(await compareProviderBalances(listing, 0)).toMatchObject([{ difference: 0 }]);
    await compareProviderBalances(listing, 0);
    expect(lists).toBe(1);
  });

  test('that cannot be had leaves what was known, and says why', async () => {
    const known = await compare();
    stage.passSeconds(60);
    answer = { ok: false, cause: 'no answer within 8000 ms' };
    expect(await compare()).toEqual({ ...known, problem: 'no answer within 8000 ms' });
  });
});

describe('money that is on its way', () => {
  test('from a payment the ledger has not decided, and a refund the provider has not sent', async () => {
    const { accountId, id } = await stage.paid();
    const { deposit } = await stage.create(request(account()));
    stage.ledger.loseAnswers();
    await expect(stage.payImpatiently(deposit.accountId, deposit.id)).rejects.toThrow();
    stage.ledger.answerAgain();
    expect(await inFlight()).toEqual(new Map([['payments_to_credit', [0, 10_000]]]));
    await stage.pay(deposit.accountId, deposit.id);
    const key = { environment: 'test', accountId, depositId: id } as const;
    const unsure = stage.onTheWire({ id: 'sandbox', refund: async () => ({ kind: 'unknown', cause: 'timeout' }) });
    await createRefund(unsure, { ...key, externalId: 'r-1', amount: 3_000, reason: null }, { timeoutMs: 5_000 });
    expect(await inFlight()).toEqual(new Map([['refunds_under_way', [0, 3_000]]]));
  });

  test('from a dispute that is lost and not settled, and one whose money is still to come', async () => {
    const deposit = await stage.paid();
    await stage.give(deposit.accountId, -8_850);
    const lost = asked({
      ...({ type: 'dispute.lost', dedupeKey: 'lost', at: stage.dependencies.now(), raw: null } as const),
      ...({ disputeRef: deposit.id, e2eId: deposit.e2eId!, money: { currency: 'BRL', amount: 4_000 } } as const),
    });
    const source = { environment: 'test', provider: 'sandbox' } as const;
    const before = await inFlight();
    const dying = { ...stage.dependencies, askLedger: async () => Promise.reject(new Error('the process ends here')) };
    await expect(applyDisputeEvent(dying, source, lost, 5_000)).rejects.toThrow('the process ends here');
    expect(await inFlight()).toEqual(new Map([...before, ['disputes_to_settle', [-4_000, 0]]]));
    await applyDisputeEvent(stage.dependencies, source, lost, 5_000);
    expect(await inFlight()).toEqual(new Map([...before, ['dispute_shortfalls', [-3_000, 0]]]));
  });
});
