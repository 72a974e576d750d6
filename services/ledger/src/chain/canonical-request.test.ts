import { expect, test } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { canonicalRequest, requestOf } from '#src/chain/canonical-request.ts';
import { genesisHash } from '#src/chain/link.ts';

test('a command has one text, whatever order its members came in, without those that are not there', () => {
  const command = {
    ...{ kind: 'adjust', id: 'adjust:1', environment: 'test', accountId: 'acc_1', currency: 'BRL' },
    ...{ amount: -5, adjustmentId: 'adj_1' },
  } as LedgerCommand;
  const text =
    '{"accountId":"acc_1","adjustmentId":"adj_1","amount":-5,"currency":"BRL","environment":"test","id":"adjust:1","kind":"adjust"}';
  expect(requestOf(command)).toMatchObject({ command, text });
  expect(canonicalRequest({ b: 'é"', a: null, c: undefined })).toBe('{"a":null,"b":"é\\""}');
});

test('the chain begins with 64 zeros', () => {
  expect(genesisHash).toBe('0000000000000000000000000000000000000000000000000000000000000000');
});
