import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually, TestWitness } from '@gateway/test-kit';
import { internalPage } from './support/internal-page.ts';
import { MerchantClient, type Json } from './support/merchant-client.ts';

/** Three starts of the whole product. */
const timeoutMs = 240_000;
const amount_cents = 10_000;
const stopping = new AsyncDisposableStack();
const home = stopping.use(temporaryHome()).path;
let stack: Stack | undefined;

afterAll(async () => {
  await stack?.stop();
  await stopping.disposeAsync();
});

async function start(): Promise<{
  readonly stack: Stack;
  readonly merchant: (environment: 'live' | 'test') => MerchantClient;
}> {
  const started = await startStack({ home, durable: false, quiet: true, env: { CHECKPOINT_INTERVAL_SEC: '1' } });
  stack = started;
  const [demo] = started.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  return { stack: started, merchant: (environment) => new MerchantClient(started.baseUrl, demo[environment]) };
}

async function stop(): Promise<void> {
  await stack?.stop();
  stack = undefined;
}

async function charge(merchant: MerchantClient, external_id: string): Promise<string> {
  return await eventually(async () => {
    const { status, body } = await merchant.post('/v1/deposits', { amount_cents, external_id });
    expect(status).toBe(201);
    return body.id as string;
  });
}

/** As a payer does it at the provider. */
async function payAtProvider(id: string): Promise<void> {
  const url = `${stack?.simulatorUrl}/control/charges/${id.slice(4)}/pay`;
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  expect(response.ok).toBe(true);
}

const isPaid = (merchant: MerchantClient, id: string) =>
  eventually(async () => expect((await merchant.get(`/v1/deposits/${id}`)).body.status).toBe('PAID'));

async function asOperator(path: string): Promise<Json> {
  const headers = { authorization: `Bearer ${stack?.dev.ops_tokens[0]}` };
  return await (await fetch(`${stack?.opsUrl}${path}`, { headers })).json();
}

/** The ledger alone speaks with the witness, from its next start on. */
async function restartWith(witness: TestWitness): Promise<void> {
  const ledger = stack?.process('ledger');
  if (!ledger) throw new Error('the stack is not running');
  await ledger.stop();
  Object.assign(ledger.definition.env, { ANCHOR_WITNESS_URL: witness.url, ANCHOR_WITNESS_KEY: witness.vkey });
  await ledger.start();
}

test(
  'a whole server that was put back to a backup, its broker and every witness within it too, decides nothing of live money: the witness outside has seen more',
  async () => {
    const first = await start();
    const before = await charge(first.merchant('live'), 'before the backup');
    await payAtProvider(before);
    await isPaid(first.merchant('live'), before);
    const keys: Json[] = (await first.merchant('live').get('/v1/proof/keys')).body.data;
    using witness = await TestWitness.start(keys.at(-1).key);
    await stop();
    execFileSync('cp', ['-a', home, `${home}-backup`]);
    stopping.defer(() => rmSync(`${home}-backup`, { recursive: true, force: true }));

    const second = await start();
    const lost = await charge(second.merchant('live'), 'after the backup');
    await payAtProvider(lost);
    await isPaid(second.merchant('live'), lost);
    const { head_sequence: head } = await asOperator('/ops/ledger/live/0/chain');
    await eventually(async () => {
      const { checkpoint } = await asOperator('/ops/proof/live/0/checkpoint');
      expect(checkpoint.split('\n')[1]).toBe(String(head));
    });
    await restartWith(witness);
    await eventually(() => expect(witness.signed.size).toBe(head));
    const { size, root } = witness.signed;
    await stop();

    rmSync(home, { recursive: true });
    renameSync(`${home}-backup`, home);
    const third = await start();
    expect(await asOperator('/ops/ledger/live/0/chain')).toMatchObject({ contradictions: [] });
    await restartWith(witness);
    const ofLedger = (path: string) => internalPage(third.stack, 'ledger', path);
    await eventually(async () => {
      expect(await ofLedger('/ready')).toContain('"witnesses live.0":"failing"');
      expect(await ofLedger('/metrics')).toContain('gateway_ledger_behind_witnesses{shard="live.0"} 1');
    });
    const { contradictions } = await asOperator('/ops/ledger/live/0/chain');
    expect(contradictions).toEqual([expect.objectContaining({ witness: witness.name, sequence: size })]);
    const waiting = await charge(third.merchant('live'), 'while it waits');
    await payAtProvider(waiting);
    const tried = await charge(third.merchant('test'), 'test money has no witness outside');
    await eventually(async () => {
      const { status } = await third.merchant('test').post(`/v1/test/deposits/${tried}/pay`);
      expect(status).toBe(200);
    });
    expect((await third.merchant('live').get(`/v1/deposits/${waiting}`)).body.status).not.toBe('PAID');
    expect(await ofLedger('/metrics')).toContain('gateway_ledger_behind_witnesses{shard="live.0"} 1');
    expect(witness.signed).toEqual({ size, root });
  },
  timeoutMs,
);
