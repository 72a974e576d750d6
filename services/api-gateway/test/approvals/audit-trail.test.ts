import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { newId } from '@gateway/money';
import { operatorRoutes } from '#src/operator/routes.ts';
import {
  changingServices,
  ledgerOperations,
  operationsElsewhere,
  ownOperations,
} from '../harness/changing-services.ts';
import { evidenceOperations, fileOperations, takingEvidence } from '../harness/changing-evidence.ts';
import { feedOperations, feedProposals, readingFeeds } from '../harness/changing-feeds.ts';
import { changingPeople, peopleOperations, peopleProposals } from '../harness/changing-people.ts';
import { changingWebhooks, webhookOperations } from '../harness/changing-webhooks.ts';
import { lookedUpRecords, lookUpOperations } from '../harness/looked-up-records.ts';
import { importingReconciler, importOperations, mappingOperations } from '../harness/changing-statements.ts';
import {
  dayOperations,
  exceptionOperations,
  ownTransferOperations,
  resolvingServices,
} from '../harness/resolving-reconciler.ts';
import { freezingOperations } from '../harness/freezing-operations.ts';
import { signingOff, signOffOperations } from '../harness/signing-off.ts';
import { ScriptedLedger } from '../harness/scripted-ledger.ts';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';
import {
  incarnationOperations,
  keyOperations,
  switchingLedger,
  switchOffOperations,
  switchOnOperations,
} from '../harness/switching-conversions.ts';

let gateway: GatewayUnderTest;
let whenAsked: () => Promise<void>;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  gateway = stopping.use(
    await startGateway(
      [
        ...[changingPeople, changingServices, changingWebhooks, lookedUpRecords, readingFeeds, switchingLedger],
        ...[importingReconciler, resolvingServices, signingOff, takingEvidence],
      ].flatMap((services) => services(() => whenAsked())),
    ),
  );
  const ledger = stopping.use(await ScriptedLedger.start(gateway, 'test'));
  ledger.decides = async () => {
    await whenAsked();
    return {};
  };
});
afterAll(async () => stopping.disposeAsync());
beforeEach(() => {
  whenAsked = async () => undefined;
});

interface AuditRow {
  readonly request_id: string;
  readonly operator: string;
  readonly action: string;
  readonly after: object | null;
}

/** The rows a request has left so far. */
const trailOf = async (requestId: string) => {
  const { body } = await gateway.asOperator('GET', '/ops/audit?limit=200');
  return (body.data as unknown as AuditRow[]).filter((row) => row.request_id === requestId);
};

/** By other services than the gateway and the ledger. */
const servicesOperations = {
  ...operationsElsewhere,
  ...peopleOperations,
  ...webhookOperations,
  ...lookUpOperations,
  ...switchOffOperations,
  ...importOperations,
  ...evidenceOperations,
  ...feedOperations,
  ...signOffOperations,
};
const gatewayOperations = {
  ...{ ...ownOperations, ...switchOnOperations, ...peopleProposals },
  ...{ ...freezingOperations, ...incarnationOperations, ...mappingOperations, ...exceptionOperations },
  ...{ ...keyOperations, ...ownTransferOperations, ...dayOperations, ...fileOperations, ...feedProposals },
};
const auditedOperations = { ...gatewayOperations, ...ledgerOperations, ...servicesOperations };

async function perform(operation: string) {
  const expected = await auditedOperations[operation]!(gateway);
  const [method = ''] = operation.split(' ');
  const requestId = newId('request');
  const headers = { ...expected.headers, 'x-request-id': requestId };
  const call = () => gateway.asOperator(method, expected.path, { body: expected.body, headers });
  const operator = expected.headers?.['authorization']?.endsWith(operatorTokens.bruno) ? 'bruno' : 'ana';
  return { expected, requestId, operator, call };
}

const operations = Object.keys(auditedOperations);

test('every operation of operators that changes something is in the table of this test', () => {
  const changing = operatorRoutes
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
  expect([...operations].sort()).toEqual(changing.sort());
});

describe.each(operations)('%s', (operation) => {
  test('leaves a row with who did it, before and after', async () => {
    const { expected, requestId, operator, call } = await perform(operation);
    expect((await call()).status).toBeLessThan(300);
    const { action, before, after, also = [] } = expected;
    const rows = await trailOf(requestId);
    expect(rows.map((row) => row.action).sort()).toEqual([action, ...also].sort());
    const row = { operator, action, target: expect.stringMatching(/./) as string, before, after };
    expect(rows.find((each) => each.action === action)).toMatchObject(row);
    expect(rows.every((each) => each.operator === operator && each.after !== null)).toBe(true);
  });
});

describe.each(Object.keys({ ...ledgerOperations, ...servicesOperations }))('%s', (operation) => {
  test('has left its trace before anybody is asked: a process that ends now has lost nothing', async () => {
    const { requestId, operator, call } = await perform(operation);
    let seen: unknown;
    whenAsked = async () => {
      seen ??= await trailOf(requestId);
    };
    expect((await call()).status).toBeLessThan(300);
    expect(seen).toMatchObject([{ operator, after: null }]);
  });
});

describe.each(Object.keys(servicesOperations))('%s', (operation) => {
  test.each([
    ['INTERNAL_ERROR', 1],
    ['PROVIDER_TIMEOUT', 1],
    ['INVALID_STATE', 0],
  ] as const)('that ends in %s leaves %i rows', async (code, rows) => {
    const { requestId, call } = await perform(operation);
    whenAsked = async () => {
      throw new DomainError(code, 'as the test wants it');
    };
    expect((await call()).body.error.code).toBe(code);
    expect(await trailOf(requestId)).toHaveLength(rows);
  });
});

test.each(['payouts/%00/approve', 'orphan-receipts/a%00b/retry', 'dead-letters/%00/retry', 'adjustments/%00/approve'])(
  'a change to %s is 404 and leaves no trace',
  async (path) => {
    const requestId = newId('request');
    const answer = await gateway.asOperator('POST', `/ops/${path}`, { headers: { 'x-request-id': requestId } });
    expect(answer.status).toBe(404);
    expect(await trailOf(requestId)).toEqual([]);
  },
);
