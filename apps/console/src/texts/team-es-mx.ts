import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of what people of an account propose to each other, in Mexican Spanish. */
export const approvals: MerchantTexts['approvals'] = {
  title: 'Aprobaciones',
  nothing: 'Nada espera una decisión.',
  kinds: {
    'team.key': () => 'Una llave de producción',
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
  isNew: 'Destinatario nuevo',
  own: 'Usted lo propuso: otra persona de la cuenta decide. Antes no pasa nada.',
  approve: { live: 'Aprobar y enviar', test: 'Aprobar y enviar (PRUEBA)' },
  agree: { live: 'Aprobar', test: 'Aprobar (PRUEBA)' },
  refuse: {
    open: 'Rechazar…',
    title: 'Rechazar la propuesta',
    about: 'No se hace nada de ello.',
    confirm: 'Rechazar la propuesta',
  },
  selection: {
    approve: (count) => (count === 1 ? 'Aprobar la seleccionada…' : `Aprobar ${count}…`),
    title: (count) => `Aprobar ${count}`,
    about: 'Se ejecutan una tras otra, cada una exactamente como se propuso. Cada una se confirma por separado.',
    confirm: {
      live: (count) => `Aprobar y enviar ${count}`,
      test: (count) => `Aprobar y enviar ${count} (TEST)`,
    },
    sum: 'En total:',
    fresh: (count) => (count === 1 ? 'Destinatario nuevo' : `${count} destinatarios nuevos`),
    approved: (count) => `Aprobadas: ${count}.`,
    proposed: (by, reason) => (reason === null ? `Propuesta de ${by}` : `Propuesta de ${by}: ${reason}`),
    refuse: (count) => (count === 1 ? 'Rechazar la seleccionada…' : `Rechazar ${count}…`),
    refuseAbout: 'Nada de ellas se hace. Cada una se rechaza por un motivo propio y se confirma por separado.',
    confirmRefusal: (count) => `Rechazar ${count}`,
    refused: (count) => `Rechazadas: ${count}.`,
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
  keyHint: 'CPF, CNPJ, correo, teléfono o clave aleatoria; se reconoce su tipo.',
  after: 'Disponible después',
  tooMuch: 'Más de lo disponible: se rechazaría al aprobarlo.',
  paidBefore: (at) => `A este destinatario ya se le pagó, la última vez el ${at}.`,
  newRecipient: 'A este destinatario nunca se le pagó desde esta cuenta. Revise el nombre, el documento y la clave.',
  confirm: { live: 'Proponer el payout', test: 'Proponer el payout (PRUEBA)' },
};

export const refundPayment: MerchantTexts['payments']['refund'] = {
  open: 'Devolver…',
  left: 'Queda por devolver',
  title: 'Devolver el pago',
  about: (amount, refunded) =>
    `De ${amount}, ya volvieron ${refunded}. La comisión no se devuelve. Otra persona de la cuenta lo aprueba.`,
  externalIdHint: 'Su referencia de la devolución.',
  amountHint: 'Vacío: todo lo que queda.',
  confirm: { live: 'Proponer la devolución', test: 'Proponer la devolución (PRUEBA)' },
};

export const approvalTasks: MerchantTexts['home']['approvals'] = (count) =>
  count === 1 ? 'Una propuesta de un colega le espera.' : `${count} propuestas de colegas le esperan.`;

export const batchOfPayouts: MerchantTexts['payouts']['batch'] = {
  open: 'Desde un archivo',
  title: 'Payouts desde un archivo',
  template: 'Descargar un ejemplo',
  file: 'Archivo (CSV)',
  fileHint: (max) =>
    `Columnas external_id, amount, key, name, document y, si quiere, key_type. Como máximo ${max} filas.`,
  empty: 'No hay filas en este archivo.',
  tooMany: (rows, max) =>
    `El archivo tiene ${rows} filas, y una propuesta tiene ${max} como máximo. No se propuso nada.`,
  rows: 'Filas',
  total: 'Suma',
  line: 'Línea',
  ok: 'Se puede proponer',
  bad: 'Tiene un error',
  wrong: (count) =>
    count === 1
      ? 'Una fila tiene un error. Corrige el archivo y elígelo de nuevo: no se propone nada antes de que todas estén bien.'
      : `${count} filas tienen errores. Corrige el archivo y elígelo de nuevo: no se propone nada antes de que todas estén bien.`,
  fault: {
    externalId: 'falta external_id.',
    twice: 'external_id ya está en una fila anterior.',
    amount: 'amount no es un importe.',
    key: 'key no es de un tipo conocido.',
    name: 'falta name.',
    document: 'document no es CPF ni CNPJ.',
  },
  confirm: (count) => ({
    live: count === 1 ? 'Proponer el payout' : `Proponer los ${count} payouts`,
    test: count === 1 ? 'Proponer el payout (PRUEBA)' : `Proponer los ${count} payouts (PRUEBA)`,
  }),
};
