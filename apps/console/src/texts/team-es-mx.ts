import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of what people of an account propose to each other, in Mexican Spanish. */
export const approvals: MerchantTexts['approvals'] = {
  title: 'Aprobaciones',
  nothing: 'Nada espera una decisión.',
  kinds: {
    'team.key': () => 'Una clave de producción',
    'team.owner': () => 'Otro propietario',
    'team.payouts': (count) => (count === 1 ? 'Un payout' : `${count} payouts`),
    'team.refund': () => 'Una devolución',
  },
  state: {
    PROPOSED: 'Espera decisión',
    APPLYING: 'En ejecución',
    APPLIED: 'Ejecutada',
    REFUSED: 'Rechazada',
    WITHDRAWN: 'Retirada',
    REJECTED: 'Denegada',
    EXPIRED: 'Vencida',
    FAILED: 'Falló',
  },
  proposedBy: (name, age) => `${name}, hace ${age}`,
  scopes: 'Puede',
  everything: 'Todo, payouts incluidos',
  allowlist: 'Desde dónde',
  anywhere: 'Desde cualquier lugar',
  roles: 'Roles',
  proposer: 'Propuesta por',
  expires: 'Vence',
  decider: 'Decidida por',
  decisionReason: 'Motivo de la decisión',
  outcome: 'Qué fue de él',
  own: 'Usted lo propuso: otra persona de la cuenta decide. Antes no pasa nada.',
  approve: { live: 'Aprobar y enviar', test: 'Aprobar y enviar (PRUEBA)' },
  agree: { live: 'Aprobar', test: 'Aprobar (PRUEBA)' },
  refuse: {
    open: 'Rechazar…',
    title: 'Rechazar la propuesta',
    about: 'No se hace nada de ello.',
    confirm: 'Rechazar la propuesta',
  },
  withdraw: 'Retirar',
};

export const proposePayout: MerchantTexts['payouts']['propose'] = {
  open: 'Nuevo payout',
  title: 'Nuevo payout',
  about: 'Otra persona de la cuenta lo aprueba antes de enviarse. Usted lo confirma con su passkey.',
  externalIdHint: 'Su referencia. La misma otra vez nunca hace un segundo payout.',
  document: 'CPF o CNPJ del destinatario',
  keyType: 'Tipo de clave',
  keyTypes: { cpf: 'CPF', cnpj: 'CNPJ', email: 'Correo', phone: 'Teléfono', random: 'Clave aleatoria' },
  confirm: { live: 'Proponer el payout', test: 'Proponer el payout (PRUEBA)' },
};

export const refundPayment: MerchantTexts['payments']['refund'] = {
  open: 'Devolver…',
  title: 'Devolver el pago',
  about: (amount, refunded) =>
    `De ${amount}, ya volvieron ${refunded}. La comisión no se devuelve. Otra persona de la cuenta lo aprueba.`,
  externalIdHint: 'Su referencia de la devolución.',
  amountHint: 'Vacío: todo lo que queda.',
  confirm: { live: 'Proponer la devolución', test: 'Proponer la devolución (PRUEBA)' },
};

export const approvalTasks: MerchantTexts['home']['approvals'] = (count) =>
  count === 1 ? 'Una propuesta de un colega le espera.' : `${count} propuestas de colegas le esperan.`;
