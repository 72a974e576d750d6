import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providersChangedSignal } from '@gateway/contracts/deposits';
import { hearSignal } from '@gateway/messaging';
import type { PaymentProvider } from '@gateway/providers';
import { eventually } from '@gateway/test-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { listProviders, updateProvider } from '#src/providers/operate-providers.ts';
import { ProviderSettings } from '#src/routing/provider-settings.ts';
import { account, request, Stage } from './stage.ts';

const environment = 'test' as const;
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

/** Two providers that are routed to as operators say. */
function routedBy(providerSettings: ProviderSettings, ...providers: Partial<PaymentProvider>[]): Dependencies {
  const dependencies = stage.onTheWire(...providers);
  const routes = dependencies.chargeRoutes.test.map((route) => ({
    ...route,
    weight: () => providerSettings.of(environment, route.provider.id).weight,
    isEnabled: () => providerSettings.of(environment, route.provider.id).enabled,
  }));
  return { ...dependencies, providerSettings, chargeRoutes: { test: routes, live: [] } };
}

async function providersOfTen(dependencies: Dependencies): Promise<Set<string>> {
  const owner = account();
  const created = Array.from({ length: 10 }, () => stage.create(request(owner), dependencies));
  await Promise.all(created);
  const rows = await dependencies.database.query<{ provider: string }>(
    'select distinct provider from deposit where account_id = $1',
    [owner.id],
  );
  return new Set(rows.map(({ provider }) => provider));
}

const newSettings = () => new ProviderSettings(stage.dependencies.database, () => 1);

describe('what operators decide about a provider', () => {
  test('is obeyed by new charges, also in other processes and after a restart', async () => {
    const dependencies = routedBy(newSettings(), { id: 'one' }, { id: 'two' });
    const changed = await updateProvider(dependencies, { environment, id: 'one', enabled: false });
    expect(changed).toMatchObject({ before: { enabled: true, weight: 1 }, provider: { enabled: false, weight: 1 } });
    expect(await providersOfTen(dependencies)).toEqual(new Set(['two']));
    const elsewhere = newSettings();
    await elsewhere.reload();
    expect(await providersOfTen(routedBy(elsewhere, { id: 'one' }, { id: 'two' }))).toEqual(new Set(['two']));
    await updateProvider(dependencies, { environment, id: 'one', enabled: true });
    await updateProvider(dependencies, { environment, id: 'two', weight: 0 });
    expect(await providersOfTen(dependencies)).toEqual(new Set(['one']));
    expect((await listProviders(dependencies)).providers).toMatchObject([
      { environment, id: 'one', enabled: true, weight: 1, healthy: true },
      { environment, id: 'two', enabled: true, weight: 0, healthy: true },
    ]);
  });

  test('is announced once it is stored, and answered by a process that has not heard of it', async () => {
    const { bus } = stage;
    const unaware = routedBy(newSettings(), { id: 'one' });
    const answers: Promise<boolean | undefined>[] = [];
    const ask = async () => (await listProviders(unaware)).providers[0]?.enabled;
    using listening = new DisposableStack();
    listening.use(hearSignal(bus, providersChangedSignal, () => answers.push(ask())));
    await bus.connection.flush();
    await updateProvider(routedBy(newSettings(), { id: 'one' }), { environment, id: 'one', enabled: false });
    await eventually(() => expect(answers).toHaveLength(1));
    expect(await answers[0]).toBe(false);
    await updateProvider(unaware, { environment, id: 'one', enabled: true });
  });

  test('with none left says that an operator has disabled it, and keeps no record', async () => {
    const dependencies = routedBy(newSettings(), { id: 'only' });
    await updateProvider(dependencies, { environment, id: 'only', enabled: false });
    const wanted = request(account());
    await expect(stage.create(wanted, dependencies)).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      message: 'new deposits are switched off: an operator has disabled the payment provider',
    });
    await updateProvider(dependencies, { environment, id: 'only', enabled: true });
    expect(await stage.create(wanted, dependencies)).toMatchObject({ created: true });
  });

  test('by two at once keeps both', async () => {
    const [ana, bruno] = [newSettings(), newSettings()];
    await Promise.all([
      ana.change(environment, 'both', { enabled: false }),
      bruno.change(environment, 'both', { weight: 7 }),
    ]);
    await ana.reload();
    expect(ana.of(environment, 'both')).toEqual({ enabled: false, weight: 7 });
  });

  test('does not exist for a provider that is not configured', async () => {
    const dependencies = routedBy(newSettings(), { id: 'one' });
    await expect(updateProvider(dependencies, { environment, id: 'other', weight: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
