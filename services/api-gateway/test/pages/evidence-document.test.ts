import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evidenceResource, getEvidenceText } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { LinkTokens } from '@gateway/runtime';
import { storeFile } from '#src/files/stored-files.ts';
import { pngOf } from '../harness/evidence-files.ts';
import { secretsKey, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const id = newId('request');
const [accountId, disputeId] = [newId('account'), newId('dispute')];
const tokens = new LinkTokens([secretsKey]);
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway([
    answering(getEvidenceText, async (asked) => {
      if (asked.accountId !== accountId || asked.evidenceId !== id) throw new NotFoundError('evidence');
      return { text: 'Entregue à cliente.', disputeId, e2eId: 'E1', createdAt: '2026-01-02T03:04:05.678Z' };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const inAnHour = Math.floor(Date.now() / 1_000) + 3_600;
const tokenFor = (resource: string, expiresAt = inAnHour) =>
  tokens.issue(resource, { environment: 'live', accountId, expiresAt });
const fetched = async (token: string, of = id) => await gateway.call('GET', `/evidence/${of}/${token}`);

describe('the document of a piece of evidence', () => {
  test('is plain text that names the dispute and the payment, for whoever has its link', async () => {
    const { status, headers, text } = await fetched(tokenFor(evidenceResource(id)));
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toContain(disputeId);
    expect(text).toContain('Entregue à cliente.');
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  test('is a file of it, which a browser saves and never runs, for whoever has its link', async () => {
    const { id: owner } = await gateway.newAccount();
    const stored = await storeFile(
      gateway.database,
      { environment: 'live', accountId: owner },
      { name: 'receipt.png', content: pngOf() },
      new Date(),
    );
    const linkTo = (fileId: string, of: string) =>
      tokens.issue(evidenceResource(fileId), { environment: 'live', accountId: of, expiresAt: inAnHour });
    const { status, headers } = await fetched(linkTo(stored.id, owner), stored.id);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${stored.id}.png"`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetched(linkTo(stored.id, accountId), stored.id)).status).toBe(404);
    expect((await fetched(linkTo(id, owner), stored.id)).status).toBe(404);
  });

  test.each([
    ['forged', () => `${tokenFor(evidenceResource(id)).slice(0, -1)}x`],
    ['of another document', () => tokenFor(evidenceResource(newId('request')))],
    ['of something else', () => tokenFor(`deposit-qr ${id}`)],
    ['over', () => tokenFor(evidenceResource(id), inAnHour - 7_200)],
  ])('is a 404 behind a link that is %s', async (_what, token) => {
    expect((await fetched(token())).status).toBe(404);
  });
});
