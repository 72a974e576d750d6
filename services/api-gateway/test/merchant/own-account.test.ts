import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { getEventLogStart } from '@gateway/contracts/webhooks';
import { answering } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const since = { live: 1_767_312_000, test: 1_767_398_400 };
/** Environments that the log was asked about. */
let asked: string[] = [];
let isAway = false;
let gateway: GatewayUnderTest;
beforeAll(async () => {
  const route = answering(getEventLogStart, async ({ environment }) => {
    asked.push(environment);
    if (isAway) throw new DomainError('SERVICE_UNAVAILABLE', 'the database is away');
    return { since: since[environment] };
  });
  gateway = await startGateway([route]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  asked = [];
});

test('an account is read although the beginning of its event log cannot be, which is shown as soon as it can', async () => {
  const account = await gateway.newAccount();
  const read = () => gateway.asMerchant(account.live, 'GET', '/v1/account');
  isAway = true;
  expect(await read()).toMatchObject({ status: 200, body: { id: account.id, events_since: null } });
  isAway = false;
  await eventually(async () => expect((await read()).body).toMatchObject({ events_since: since.live }));
});

test('an account says from when on its event log is whole, of which its service is asked once for many calls', async () => {
  const account = await gateway.newAccount();
  const read = async () => (await gateway.asMerchant(account.test, 'GET', '/v1/account')).body;
  const answers = await Promise.all(Array.from({ length: 20 }, read));
  answers.push(await read());
  for (const body of answers) expect(body).toMatchObject({ environment: 'test', events_since: since.test });
  expect(asked).toEqual(['test']);
});
