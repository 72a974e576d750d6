import type { FailureCode } from '#src/failure-codes.ts';

/**
 * What a rejection code means. SPI codes are the ISO 20022 reasons of pacs.002 and pacs.004 as the Banco Central's
 * catalogue lists them; names are those of Efí's (`nome`) and Woovi's error bodies and of
 * Fintoc's causes of a return.
 *
 * Names that ask a question are left out on purpose: Efí's `id_envio_duplicado` says that an earlier call arrived, so the
 * adapter looks the payout up, and the answer is never a failure.
 */
const meanings: ReadonlyMap<string, FailureCode> = new Map(
  Object.entries({
    AC03: 'invalid_account',
    AC06: 'account_blocked',
    AC07: 'account_closed',
    AC14: 'account_type_not_allowed',
    AG03: 'account_type_not_allowed',
    AM02: 'amount_limit',
    AM04: 'provider_balance',
    BE01: 'owner_mismatch',
    CH11: 'owner_mismatch',
    AM18: 'invalid_request',
    BE05: 'invalid_request',
    BE15: 'invalid_request',
    BE17: 'invalid_request',
    CH16: 'invalid_request',
    DT02: 'invalid_request',
    FF07: 'invalid_request',
    FF08: 'invalid_request',
    RC09: 'invalid_request',
    RC10: 'invalid_request',
    DS04: 'rejected_by_bank',
    DS0G: 'rejected_by_bank',
    DS27: 'rejected_by_bank',
    DUPL: 'duplicate',
    FRAD: 'compliance',
    RR04: 'regulatory',
    AB03: 'settlement_failed',
    AB09: 'settlement_failed',
    AB11: 'settlement_failed',
    ED05: 'settlement_failed',
    DT05: 'return_window_expired',
    AG13: 'return_of_return',
    // Pix API (`type` of the problem)
    CobOperacaoInvalida: 'invalid_request',
    PixDevolucaoInvalida: 'invalid_request',
    RequisicaoInvalida: 'invalid_request',
    // Efí
    saldo_insuficiente: 'provider_balance',
    chave_invalida: 'key_not_found',
    chave_nao_pertence_ao_documento: 'owner_mismatch',
    documento_bloqueado: 'provider_restricted',
    pagamento_negado: 'compliance',
    valor_invalido: 'invalid_request',
    // Fintoc: SPEI's causes of a return, in the names of both versions of the page "SPEI codes" (docs.fintoc.com)
    non_existing_account: 'invalid_account',
    non_existent_account: 'invalid_account',
    blocked_account: 'account_blocked',
    canceled_account: 'account_closed',
    wrong_currency: 'account_type_not_allowed',
    account_in_different_currency: 'account_type_not_allowed',
    non_fintoc_account: 'invalid_account',
    account_does_not_belong_to_receiving_participant: 'invalid_account',
    wrong_operation_type: 'invalid_request',
    account_type_does_not_correspond: 'account_type_not_allowed',
    account_with_restriction_for_spei_payments: 'account_type_not_allowed',
    exceeds_account_limit: 'amount_limit',
    exceeds_authorized_account_balance_limit: 'amount_limit',
    exceeds_account_monthly_payments_limit: 'amount_limit',
    exceeds_allowed_deposit_limit_for_the_month: 'amount_limit',
    recipient_participant_has_decided_not_to_accept_payments: 'rejected_by_bank',
    insufficient_funds: 'provider_balance',
    insufficient_balance: 'provider_balance',
    invalid_account_number: 'invalid_account',
    // Woovi
    ALIAS_LIMIT_ERROR: 'lookup_limit',
    ENTRY_ASSOCIATED_WITH_RESTRICTED_ACCOUNT_OR_USER: 'compliance',
    NOT_ENOUGH_BALANCE: 'provider_balance',
    PIX_KEY_INFO_NOT_FOUND: 'key_not_found',
    REACH_TRANSFER_LIMIT: 'amount_limit',
  } satisfies Record<string, FailureCode>),
);

/**
 * The failure code for a provider's own; `unspecified` for what is not known here, so that a new code on a provider's side
 * never stops a failure from being recorded. Takes the code alone or with its text behind it (`BE17 - Código de …`).
 */
export function failureCodeOf(providerCode: string | null | undefined): FailureCode {
  const [code = ''] = (providerCode ?? '').trim().split(/[\s:-]/, 1);
  return meanings.get(code) ?? 'unspecified';
}

/** Every provider code with a meaning of its own, for the documentation. */
export const knownProviderCodes: readonly string[] = [...meanings.keys()];
