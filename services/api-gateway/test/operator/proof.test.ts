import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotFoundError } from '@gateway/contracts/errors';
import {
  getAnchor,
  getCheckpoint,
  getConsistency,
  getLostRange,
  getTile,
  listAnchors,
  listCheckpointKeys,
  type LostRange,
  openIncarnation,
  rotateCheckpointKey,
} from '@gateway/contracts/ledger';
import type { RequestOf } from '@gateway/contracts/messages';
import { answering } from '@gateway/messaging';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const hash = Buffer.alloc(32, 7);
const key = { environment: 'live', shard: 0, number: 1, text: 'pay.example.com/ledger/live.0+0d1da8bb+AfVw' } as const;
/** That which signs beside it. */
const beside = { text: 'pay.example.com/ledger/live.0+7c01f2aa+BmD0', createdAt: 1_767_000_001, endorsement: 'of it' };
const anchor = {
  ...({ environment: 'live', shard: 0, size: 7, target: 'timestamp' } as const),
  ...{ queuedAt: 1_767_000_000, keptAt: 1_767_000_009, attempts: 1, failure: null, hasEvidence: true },
};
/** A chain that has lost nothing: PostgreSQL's clock has not reached its last link. */
const ahead: LostRange = {
  ...{ environment: 'live', shard: 0, incarnation: 2, headSequence: 4, headHash: '4'.repeat(64), lostThrough: 4 },
  ...{ contradictions: [], silent: [], decidedAtMs: 1_767_000_000_000, aheadMs: 10_001 },
};
let chain = ahead;
const opened: RequestOf<typeof openIncarnation>[] = [];
const asked: unknown[] = [];
let gateway: GatewayUnderTest;
/** The keys that the ledger was asked to replace. */
const replaced: (number | null)[] = [];

beforeAll(async () => {
  gateway = await startGateway([
    answering(getCheckpoint, async ({ environment }) => ({ checkpoint: environment === 'live' ? 'a note\n' : null })),
    answering(getTile, async ({ level, index }) => {
      if (level > 0 || index > 0) throw new NotFoundError('tile');
      return { hashes: Buffer.concat([hash, hash]).toString('base64') };
    }),
    answering(getConsistency, async () => ({ hashes: [hash.toString('base64')] })),
    answering(listAnchors, async (request) => {
      asked.push(request);
      return { anchors: [anchor], isLast: request.after !== undefined };
    }),
    answering(getAnchor, async ({ size }) => {
      if (size !== anchor.size) throw new NotFoundError('anchor');
      return { anchor, checkpoint: 'a note\n', request: 'AA==', answer: 'AQ==' };
    }),
    answering(listCheckpointKeys, async () => ({
      keys: [{ ...key, createdAt: 1_767_000_000, retiredAt: null, endorsement: null, second: beside }],
    })),
    answering(getLostRange, async () => ({ range: chain })),
    answering(openIncarnation, async (request) => {
      opened.push(request);
      return { number: request.range.incarnation + 1 };
    }),
    answering(rotateCheckpointKey, async ({ replaces }) => {
      replaced.push(replaces);
      return {
        keys: [
          { ...key, number: 2, createdAt: 1_767_000_000, retiredAt: null, endorsement: 'by the first', second: null },
        ],
      };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const read = async (path: string) => {
  const { status, body } = await gateway.asOperator('GET', path);
  return [status, body] as const;
};

test('operators read the signed checkpoint, tiles, proofs of consistency and keys of a shard', async () => {
  expect(await read('/ops/proof/live/0/checkpoint')).toEqual([200, { object: 'checkpoint', checkpoint: 'a note\n' }]);
  const one = hash.toString('base64');
  expect(await read('/ops/proof/live/0/tile/0/0')).toEqual([200, { object: 'tile', hashes: [one, one] }]);
  const consistency = { object: 'consistency', hashes: [one] };
  expect(await read('/ops/proof/live/0/consistency?from=1&to=2')).toEqual([200, consistency]);
  const { text, ...shown } = key;
  const times = { created_at: 1_767_000_000, retired_at: null };
  const second_key = { key: beside.text, created_at: beside.createdAt, endorsement: beside.endorsement };
  expect(await read('/ops/proof/keys')).toEqual([
    200,
    { data: [{ ...shown, key: text, ...times, endorsement: null, second_key }], next_cursor: null },
  ]);
});

test('operators list what is kept outside page by page, and read the evidence that an auditor is given', async () => {
  const shown = {
    ...{ object: 'anchor', id: 'live.0.7.timestamp', size: 7, target: 'timestamp', status: 'KEPT' },
    ...{ queued_at: 1_767_000_000, kept_at: 1_767_000_009, attempts: 1, failure: null, has_evidence: true },
  };
  const first = await read('/ops/proof/live/0/anchors?target=timestamp&status=KEPT&limit=1');
  expect(first).toEqual([200, { data: [shown], next_cursor: shown.id }]);
  const second = await read(`/ops/proof/live/0/anchors?limit=1&cursor=${shown.id}`);
  expect(second).toEqual([200, { data: [shown], next_cursor: null }]);
  const place = { environment: 'live', shard: 0, limit: 1 };
  expect(asked).toEqual([
    { ...place, target: 'timestamp', isKept: true },
    { ...place, after: { size: 7, target: 'timestamp' } },
  ]);
  const evidence = { checkpoint: 'a note\n', request: 'AA==', answer: 'AQ==' };
  expect(await read('/ops/proof/live/0/anchors/7/timestamp')).toEqual([200, { ...shown, ...evidence }]);
  for (const path of ['8/timestamp', '7/nowhere', 'x/timestamp']) {
    expect((await read(`/ops/proof/live/0/anchors/${path}`))[0], path).toBe(404);
  }
  expect((await read('/ops/proof/live/0/anchors?cursor=7'))[0]).toBe(400);
});

test('what is not there is 404, and sizes that are no numbers are refused by name', async () => {
  for (const path of [
    'test/0/checkpoint',
    'prod/0/checkpoint',
    'live/x/checkpoint',
    'live/0/tile/0/1',
    'live/0/tile/9/0',
  ]) {
    expect((await read(`/ops/proof/${path}`))[0], path).toBe(404);
  }
  const [status, body] = await read('/ops/proof/live/0/consistency?from=one&to=2');
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('from')]);
});

test('the key of checkpoints is replaced by two operators, and the one that the approver saw', async () => {
  const { status, body } = await gateway.asOperator('POST', '/ops/proof/keys', { body: { reason: 'a year old' } });
  expect([status, body.approval]).toMatchObject([
    202,
    { kind: 'checkpoint-key.rotate', state: 'PROPOSED', reason: 'a year old', before: { data: [{ number: 1 }] } },
  ]);
  const approve = `/ops/approvals/${body.approval.id}/approve`;
  const alone = await gateway.asOperator('POST', approve);
  expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
  expect(replaced).toEqual([]);
  const approved = await gateway.asSecond('POST', approve);
  expect(approved.body.approval).toMatchObject({ state: 'APPLIED', outcome: { data: [{ number: 2 }] } });
  expect(replaced).toEqual([1]);
});

describe('a chain whose last link lies in the future', () => {
  const path = '/ops/ledger/live/0/incarnations';
  const body = { reason: 'the clock of a host was a day ahead' };

  test('goes on by itself up to ten seconds, and takes operators beyond them', async () => {
    chain = { ...ahead, aheadMs: 10_000 };
    expect(await read('/ops/ledger/live/0/chain')).toMatchObject([200, { ahead_ms: 10_000, lost_from: null }]);
    const refused = await gateway.asOperator('POST', path, { body });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'INVALID_STATE']);
    chain = ahead;
    const { status, body: proposed } = await gateway.asOperator('POST', path, { body });
    expect([status, proposed.approval]).toMatchObject([
      202,
      {
        ...{ kind: 'ledger.open-incarnation', target: 'live/ledger/0', state: 'PROPOSED', ...body },
        before: { decided_at: '2025-12-29T09:20:00.000Z', ahead_ms: 10_001, lost_from: null, lost_through: null },
      },
    ]);
    await gateway.asOperator('POST', `/ops/approvals/${proposed.approval.id}/withdraw`);
  });

  test('is accepted by two people, with the time that both have read', async () => {
    chain = ahead;
    const { approval } = (await gateway.asOperator('POST', path, { body })).body;
    const approve = `/ops/approvals/${approval.id}/approve`;
    const alone = await gateway.asOperator('POST', approve);
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(opened).toEqual([]);
    chain = { ...ahead, headSequence: 5, decidedAtMs: ahead.decidedAtMs + 86_400_000 };
    const approved = await gateway.asSecond('POST', approve);
    expect(approved.body.approval).toMatchObject({ state: 'APPLIED', outcome: { incarnation: 3, ahead_ms: 10_001 } });
    expect(opened).toEqual([{ approvalId: approval.id, range: ahead, proposedBy: 'ana', approvedBy: 'bruno' }]);
    const { data } = (await gateway.asOperator('GET', '/ops/audit?target=live/ledger/0&limit=1')).body;
    expect(data).toMatchObject([
      { operator: 'bruno', action: 'ledger.open-incarnation', before: { incarnation: 2 }, after: { incarnation: 3 } },
    ]);
  });
});
