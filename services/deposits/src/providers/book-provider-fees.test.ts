import { expect, test } from 'vitest';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { silentLogger } from '@gateway/test-kit';
import { bookApprovedFees, bookProviderFees } from '#src/providers/book-provider-fees.ts';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';

function deposits(outcome: 'applied' | 'refused' = 'applied') {
  const commands: LedgerCommand[] = [];
  const dependencies = {
    askLedger: async (command: LedgerCommand) => {
      commands.push(command);
      return { outcome, refusal: null };
    },
    logger: silentLogger,
    chargeRoutes: { live: [{ provider: { id: 'efi' } }], test: [] },
    providerTariffs: { efi: { BRL: [85] }, gone: { BRL: [85] } },
  } as unknown as ProvidersDependencies;
  return { commands, dependencies };
}

const fee = (lineId: string, members: object = {}) => ({
  ...({ provider: 'efi', currency: 'BRL', lineId, amount: 85 } as const),
  ...members,
});

test("only what is among a configured provider's prices in that currency is booked, as our cost, under the line's id", async () => {
  const { commands, dependencies } = deposits();
  const fees = [
    fee('efi:f1'),
    fee('efi:f2', { amount: 86 }),
    fee('efi:f3', { currency: 'MXN' }),
    fee('gone:f4', { provider: 'gone' }),
  ];
  expect(await bookProviderFees(dependencies, { fees })).toEqual({ booked: ['efi:f1'] });
  expect(commands).toMatchObject([
    { kind: 'provider-fee', id: 'provider-fee:efi:f1', environment: 'live', provider: 'efi', amount: 85 },
  ]);
});

test('a fee that the ledger refuses is not said to be booked', async () => {
  const { dependencies } = deposits('refused');
  expect(await bookProviderFees(dependencies, { fees: [fee('efi:f1')] })).toEqual({ booked: [] });
});

test('a fee that two operators have approved is booked without a price, also one that was given back', async () => {
  const { commands, dependencies } = deposits();
  const fees = [fee('efi:f1', { amount: 86 }), fee('efi:f2', { amount: -85 })];
  expect(await bookApprovedFees(dependencies, { fees })).toEqual({ booked: ['efi:f1', 'efi:f2'] });
  expect(commands).toMatchObject([{ amount: 86 }, { amount: -85 }]);
});
