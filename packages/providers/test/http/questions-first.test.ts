import { expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { ProviderClient } from '#src/http/provider-client.ts';
import { answerJson, ScriptedServer } from './scripted-server.ts';

const connections = 32;

test.each([
  ['a question', 'orders', { one: 'GET', many: 'POST' }],
  ['an order', 'questions', { one: 'POST', many: 'GET' }],
] as const)('%s does not wait for a connection behind %s', async (_what, _behind, { one, many }) => {
  await using server = await ScriptedServer.start(({ path }, response) => {
    if (path !== '/held') answerJson(response, 200, {});
  });
  const client = new ProviderClient({ baseUrl: server.url, callTimeoutMs: 30_000, nowMs: () => performance.now() });
  const held = Array.from({ length: connections + 8 }, () => client.callOpenly({ method: many, path: '/held' }));
  const heldRequests = () => server.requests.filter(({ path }) => path === '/held').length;
  await eventually(() => expect(heldRequests()).toBe(connections));
  expect(await client.callOpenly({ method: one, path: '/now' })).toMatchObject({ kind: 'answered' });
  expect(heldRequests()).toBe(connections);
  await client[Symbol.asyncDispose]();
  await Promise.all(held);
});
