import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSimulator, type RunningSimulator } from './running-simulator.ts';

let simulator: RunningSimulator;
beforeAll(async () => {
  simulator = await runSimulator();
});
afterAll(async () => {
  await simulator[Symbol.asyncDispose]();
});

describe('a restart', () => {
  const control = async (path: string, body?: object) => {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await simulator.call(`/control${path}`, body ? { method: 'POST', ...json } : {})).body;
  };

  test('keeps the key notifications are signed with, the time and the faults', async () => {
    const { public_key: key } = await control('/woovi/public-key');
    await control('/clock', { advance_ms: 86_400_000 });
    await control('/faults', { operation: 'get-charge', fault: 'slow', times: 1 });
    await simulator.restart();
    expect(await control('/woovi/public-key')).toEqual({ public_key: key });
    expect(new Date(String((await control('/clock', { advance_ms: 0 }))['now'])).getTime()).toBeGreaterThan(
      Date.now() + 86_000_000,
    );
    expect((await control('/faults'))['faults']).toMatchObject([
      { operation: 'get-charge', fault: 'slow', times_left: 1 },
    ]);
  });
});
