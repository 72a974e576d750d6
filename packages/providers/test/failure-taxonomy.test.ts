import { describe, expect, test } from 'vitest';
import { failureCodeOf, failureCodes, knownProviderCodes, type FailureCode } from '#src/index.ts';

/** Written a second time: another meaning of a code gives merchants another reason, and has to be meant. */
const meanings: Readonly<Partial<Record<FailureCode, readonly string[]>>> = {
  invalid_account: [
    'AC03',
    'non_existing_account',
    'non_existent_account',
    'non_fintoc_account',
    'account_does_not_belong_to_receiving_participant',
    'invalid_account_number',
  ],
  account_blocked: ['AC06', 'blocked_account'],
  account_closed: ['AC07', 'canceled_account'],
  account_type_not_allowed: [
    'AC14',
    'AG03',
    'wrong_currency',
    'account_in_different_currency',
    'account_type_does_not_correspond',
    'account_with_restriction_for_spei_payments',
  ],
  amount_limit: [
    'AM02',
    'REACH_TRANSFER_LIMIT',
    'exceeds_account_limit',
    'exceeds_authorized_account_balance_limit',
    'exceeds_account_monthly_payments_limit',
    'exceeds_allowed_deposit_limit_for_the_month',
  ],
  provider_balance: ['AM04', 'saldo_insuficiente', 'NOT_ENOUGH_BALANCE', 'insufficient_funds', 'insufficient_balance'],
  owner_mismatch: ['BE01', 'CH11', 'chave_nao_pertence_ao_documento'],
  invalid_request: [
    'AM18',
    'wrong_operation_type',
    'BE05',
    'BE15',
    'BE17',
    'CH16',
    'DT02',
    'FF07',
    'FF08',
    'RC09',
    'RC10',
    'CobOperacaoInvalida',
    'PixDevolucaoInvalida',
    'RequisicaoInvalida',
    'valor_invalido',
  ],
  rejected_by_bank: ['DS04', 'DS0G', 'DS27', 'recipient_participant_has_decided_not_to_accept_payments'],
  duplicate: ['DUPL'],
  compliance: ['FRAD', 'pagamento_negado', 'ENTRY_ASSOCIATED_WITH_RESTRICTED_ACCOUNT_OR_USER'],
  regulatory: ['RR04'],
  settlement_failed: ['AB03', 'AB09', 'AB11', 'ED05'],
  return_window_expired: ['DT05'],
  return_of_return: ['AG13'],
  key_not_found: ['chave_invalida', 'PIX_KEY_INFO_NOT_FOUND'],
  provider_restricted: ['documento_bloqueado'],
  lookup_limit: ['ALIAS_LIMIT_ERROR'],
};

describe('failure taxonomy', () => {
  test.each(Object.entries(meanings))(
    '%s is what these codes of rails and providers mean: %j',
    (code, providerCodes) => {
      expect(providerCodes.map(failureCodeOf)).toEqual(providerCodes.map(() => code));
    },
  );

  test('no other code of a rail or provider has a meaning', () => {
    expect(knownProviderCodes.toSorted()).toEqual(Object.values(meanings).flat().toSorted());
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
