import { expect, test } from 'vitest';
import { findKeyType } from '#src/merchants/payouts/find-key-type.ts';

test.each([
  ['maria@example.com', 'email'],
  ['529.982.247-25', 'cpf'],
  ['52998224725', 'cpf'],
  // Eleven digits that are no CPF.
  ['11987654321', 'phone'],
  ['11111111111', 'phone'],
  ['+55 11 98765-4321', 'phone'],
  ['11.222.333/0001-81', 'cnpj'],
  ['71f0b3a2-3f0d-4c7a-9d53-1f6f9a0c2b11', 'random'],
  ['1234', undefined],
  ['maria', undefined],
  ['', undefined],
])('%s is found to be a key of the kind %s', (text, type) => {
  expect(findKeyType(text)).toBe(type);
});
