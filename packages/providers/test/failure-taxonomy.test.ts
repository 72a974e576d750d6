import { describe, expect, test } from 'vitest';
import { failureCodeOf, failureCodes, knownProviderCodes } from '#src/index.ts';

describe('failure taxonomy', () => {
  test.each([
    ['AC03', 'invalid_account'],
    ['AG03', 'account_type_not_allowed'],
    ['AM02', 'amount_limit'],
    ['REACH_TRANSFER_LIMIT', 'amount_limit'],
    ['AM04', 'provider_balance'],
    ['NOT_ENOUGH_BALANCE', 'provider_balance'],
    ['BE01', 'owner_mismatch'],
    ['chave_nao_pertence_ao_documento', 'owner_mismatch'],
    ['BE17', 'invalid_request'],
    ['DS04', 'rejected_by_bank'],
    ['FRAD', 'compliance'],
    ['pagamento_negado', 'compliance'],
    ['RR04', 'regulatory'],
    ['ED05', 'settlement_failed'],
    ['PIX_KEY_INFO_NOT_FOUND', 'key_not_found'],
    ['chave_invalida', 'key_not_found'],
    ['ALIAS_LIMIT_ERROR', 'lookup_limit'],
    ['DT05', 'return_window_expired'],
    ['AG13', 'return_of_return'],
  ])('%s means %s', (providerCode, code) => {
    expect(failureCodeOf(providerCode)).toBe(code);
  });

  test('a code is found with its text behind it', () => {
    expect(failureCodeOf('BE17 - Código de identificação do credor inválido')).toBe('invalid_request');
    expect(failureCodeOf(' AC07: conta encerrada')).toBe('account_closed');
  });

  test.each([undefined, null, '', 'ZZ99', 'toString', '__proto__', 'constructor'])(
    'an unknown code (%s) is a failure all the same, and an alarm',
    (providerCode) => {
      expect(failureCodeOf(providerCode)).toBe('unspecified');
      expect(failureCodes.unspecified.operatorAlarm).toBe(true);
    },
  );

  test('a duplicate id is a question to the provider, not a reason to fail', () => {
    expect(knownProviderCodes).not.toContain('id_envio_duplicado');
  });

  test('every code but the fallback is the meaning of some provider code', () => {
    const reached = new Set(knownProviderCodes.map(failureCodeOf));
    expect([...reached, 'unspecified'].sort()).toEqual(Object.keys(failureCodes).sort());
  });
});
