import type { MessageLanguage } from '#src/values/index.ts';

type Message = Readonly<Record<MessageLanguage, string>>;

/**
 * Every `failure_reason` of a payout or refund (api.md 2) with what its merchant reads: what a rail or provider can say, and
 * what ends a payout before it sets out. The provider's own words are for operators.
 */
export const failureMessages = {
  account_blocked: {
    en: 'The receiving account is blocked.',
    pt: 'A conta de destino está bloqueada.',
    es: 'La cuenta de destino está bloqueada.',
  },
  account_closed: {
    en: 'The receiving account is closed.',
    pt: 'A conta de destino está encerrada.',
    es: 'La cuenta de destino está cancelada.',
  },
  account_type_not_allowed: {
    en: 'The receiving account may not take this kind of payment.',
    pt: 'A conta de destino não pode receber este tipo de pagamento.',
    es: 'La cuenta de destino no puede recibir este tipo de pago.',
  },
  amount_limit: {
    en: 'The amount exceeds a limit of the receiver, the payer or the provider.',
    pt: 'O valor ultrapassa um limite do recebedor, do pagador ou do provedor.',
    es: 'El monto rebasa un límite del beneficiario, del ordenante o del proveedor.',
  },
  canceled_by_merchant: {
    en: 'The merchant canceled the payout.',
    pt: 'O lojista cancelou o pagamento.',
    es: 'El comercio canceló el pago.',
  },
  compliance: {
    en: 'The payment was stopped on suspicion of fraud or by a risk rule.',
    pt: 'O pagamento foi barrado por suspeita de fraude ou por uma regra de risco.',
    es: 'El pago se detuvo por sospecha de fraude o por una regla de riesgo.',
  },
  creation_abandoned: {
    en: 'The call that asked for it was not answered in time; what was taken went back.',
    pt: 'A chamada que o pediu não foi respondida a tempo; o que foi debitado voltou.',
    es: 'La llamada que lo pidió no se contestó a tiempo; lo que se había debitado se devolvió.',
  },
  duplicate: {
    en: 'The rail has seen this payment already.',
    pt: 'A rede de pagamentos já recebeu este pagamento.',
    es: 'La red de pagos ya recibió este pago.',
  },
  invalid_account: {
    en: 'The receiving account does not exist or its number is wrong.',
    pt: 'A conta de destino não existe ou seu número está errado.',
    es: 'La cuenta de destino no existe o su número es incorrecto.',
  },
  invalid_request: {
    en: 'The provider or the rail found the payment order malformed.',
    pt: 'O provedor ou a rede de pagamentos considerou a ordem de pagamento malformada.',
    es: 'El proveedor o la red de pagos consideró mal formada la orden de pago.',
  },
  key_not_found: {
    en: 'No account is registered under the key.',
    pt: 'Nenhuma conta está registrada com a chave.',
    es: 'No hay ninguna cuenta registrada con la clave.',
  },
  lookup_limit: {
    en: 'Too many key lookups; the directory refuses more for now.',
    pt: 'Consultas de chaves em excesso; o diretório não aceita mais por enquanto.',
    es: 'Demasiadas consultas de claves; el directorio no acepta más por ahora.',
  },
  owner_mismatch: {
    en: 'The key or account belongs to somebody other than the named recipient.',
    pt: 'A chave ou a conta pertence a outra pessoa, e não ao recebedor informado.',
    es: 'La clave o la cuenta pertenece a otra persona y no al beneficiario indicado.',
  },
  provider_balance: {
    en: "The gateway's own account at the payment provider lacked the funds; your balance was sufficient.",
    pt: 'A conta do próprio gateway no provedor de pagamento estava sem fundos; o seu saldo era suficiente.',
    es: 'La cuenta de la propia pasarela con el proveedor de pagos no tenía fondos; tu saldo era suficiente.',
  },
  provider_restricted: {
    en: "The gateway's own account at the payment provider may not do this; the reason lies with the gateway.",
    pt: 'A conta do próprio gateway no provedor de pagamento não pode fazer isto; a causa está no gateway.',
    es: 'La cuenta de la propia pasarela con el proveedor de pagos no puede hacer esto; la causa es de la pasarela.',
  },
  refused_by_operator: {
    en: 'An operator refused the payout.',
    pt: 'Um operador recusou o pagamento.',
    es: 'Un operador rechazó el pago.',
  },
  regulatory: {
    en: 'The payment was stopped for a regulatory reason.',
    pt: 'O pagamento foi barrado por um motivo regulatório.',
    es: 'El pago se detuvo por un motivo regulatorio.',
  },
  rejected_by_bank: {
    en: "The receiver's bank declined the payment.",
    pt: 'O banco do recebedor recusou o pagamento.',
    es: 'El banco del beneficiario rechazó el pago.',
  },
  return_of_return: {
    en: 'A return cannot be returned.',
    pt: 'Uma devolução não pode ser devolvida.',
    es: 'Una devolución no se puede devolver.',
  },
  return_window_expired: {
    en: 'The payment is too old to be returned.',
    pt: 'O prazo para devolver o pagamento terminou.',
    es: 'El plazo para devolver el pago terminó.',
  },
  settlement_failed: {
    en: 'Settlement was aborted; nothing was paid. A new payout may be made.',
    pt: 'A liquidação foi interrompida; nada foi pago. Um novo pagamento pode ser feito.',
    es: 'La liquidación se interrumpió; no se pagó nada. Se puede hacer un nuevo pago.',
  },
  unspecified: {
    en: 'The provider gave no reason, or one that is not known here.',
    pt: 'O provedor não informou o motivo, ou informou um desconhecido.',
    es: 'El proveedor no dio un motivo, o dio uno desconocido.',
  },
} as const satisfies Record<string, Message>;

export type PayoutFailureReason = keyof typeof failureMessages;

export const payoutFailureReasons = Object.keys(failureMessages) as PayoutFailureReason[];

/** What the merchant reads; undefined for a reason that a newer sender knows alone. */
export function failureMessageOf(reason: string, language: MessageLanguage = 'en'): string | undefined {
  return Object.hasOwn(failureMessages, reason) ? failureMessages[reason as PayoutFailureReason][language] : undefined;
}
