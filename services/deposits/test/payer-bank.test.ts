import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newEndToEndId } from '@gateway/pix';
import type { ChargeReceipt } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { eventually, silentLogger } from '@gateway/test-kit';
import { keepParticipants } from '#src/deposit/payer-bank.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { applyReceipt } from '#src/payment/apply-receipt.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
let file: string;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'participants-')), 'participants.csv');
});
afterEach(() => rmSync(join(file, '..'), { recursive: true }));

let payments = 0;
const e2eIdOf = (ispb: string) => {
  const random = new Uint8Array(16).fill(0);
  random[15] = ++payments;
  return newEndToEndId({ ispb, at: stage.dependencies.now(), random });
};

/** A deposit that is paid as a provider reports it, and how it is then shown. */
async function paidWith(e2eId: string, payer: ChargeReceipt['payer'] = { name: 'ANA SOUZA', document: '52998224725' }) {
  const wired = stage.onTheWire({});
  const { deposit } = await stage.create(request(account()), wired);
  const charge = { environment: 'test', provider: 'wired', reference: deposit.id.slice(4) } as const;
  const paidAt = stage.dependencies.now();
  await applyReceipt(wired, charge, asked({ e2eId, money: { currency: 'BRL', amount: 10_000 }, paidAt, payer }), 5_000);
  const { accountId, id } = deposit;
  return async () => (await getDeposit(wired, { environment: 'test', accountId, id })).deposit.payerDetails;
}

const ana = { name: 'ANA SOUZA', document: '***.982.247-**' };

describe("the payer's bank", () => {
  test.each<[string, string, string | null]>([
    ['of a participant we know', '60701190', 'ITAÚ UNIBANCO S.A.'],
    ['of a payment institution', '18236120', 'NU PAGAMENTOS - IP'],
    ['of a participant we do not know', '12345678', null],
  ])('%s follows from the end-to-end id: %s is %s', async (_case, ispb, bank) => {
    const shown = await paidWith(e2eIdOf(ispb));
    expect(await shown()).toEqual({ ...ana, ispb, bank });
  });

  test('that the provider names is believed, and one it names by ISPB alone has its name', async () => {
    const payer = { name: 'ANA SOUZA', document: '52998224725' };
    const named = await paidWith(e2eIdOf('60701190'), { ...payer, bank: 'BANCO DA ANA', ispb: '00000208' });
    expect(await named()).toEqual({ ...ana, ispb: '00000208', bank: 'BANCO DA ANA' });
    const byIspb = await paidWith(e2eIdOf('60701190'), { ...payer, ispb: '90400888' });
    expect(await byIspb()).toEqual({ ...ana, ispb: '90400888', bank: 'BCO SANTANDER (BRASIL) S.A.' });
  });

  test('is unknown for an id of another form', async () => {
    const shown = await paidWith(`whatever-${++payments}`);
    expect(await shown()).toEqual({ ...ana, ispb: null, bank: null });
  });
});

describe('a table of participants in a file', () => {
  const change = (text: string, at: number) => {
    writeFileSync(file, text);
    utimesSync(file, at, at);
  };

  test('names the banks, is read again when it changes, and stays in force when a change is no table', async () => {
    const shown = await paidWith(e2eIdOf('12345678'));
    change('ispb,name\n12345678,BANCO NOVO\n', 1_000);
    await using kept = await keepParticipants(file, silentLogger, 10);
    expect(await shown()).toMatchObject({ bank: 'BANCO NOVO' });
    change('ISPB;Nome Reduzido\n12345678;BANCO MAIS NOVO\n', 2_000);
    await eventually(async () => expect(await shown()).toMatchObject({ bank: 'BANCO MAIS NOVO' }));
    change('<html>not found</html>', 3_000);
    change('ispb,name\n12345678,BANCO DE AMANHÃ\n', 4_000);
    await eventually(async () => expect(await shown()).toMatchObject({ bank: 'BANCO DE AMANHÃ' }));
    await kept[Symbol.asyncDispose]();
    expect(await shown()).toMatchObject({ ispb: '12345678', bank: null });
  });

  test('in the encoding of Windows is read as such', async () => {
    const shown = await paidWith(e2eIdOf('12345678'));
    writeFileSync(file, Buffer.from('ISPB;Nome Reduzido\n12345678;BANCO MA\u00D1\u00C3\n', 'latin1'));
    await using keeping = new AsyncDisposableStack();
    keeping.use(await keepParticipants(file, silentLogger, 10));
    expect(await shown()).toMatchObject({ bank: 'BANCO MAÑÃ' });
  });

  test('that is missing, or is no table, lets no service start', async () => {
    await expect(keepParticipants(file, silentLogger)).rejects.toThrow('ENOENT');
    writeFileSync(file, 'code;bank\n1;A\n');
    await expect(keepParticipants(file, silentLogger)).rejects.toThrow(/no line with the columns/);
  });
});
