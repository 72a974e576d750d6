import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of what people of an account propose to each other, in Brazilian Portuguese. */
export const approvals: MerchantTexts['approvals'] = {
  title: 'Aprovações',
  nothing: 'Nada espera por uma decisão.',
  kinds: {
    'team.key': () => 'Uma chave de produção',
    'team.owner': () => 'Mais um proprietário',
    'team.payouts': (count) => (count === 1 ? 'Um payout' : `${count} payouts`),
    'team.refund': () => 'Uma devolução',
  },
  state: {
    PROPOSED: 'Aguarda decisão',
    APPLYING: 'Em execução',
    APPLIED: 'Executada',
    REFUSED: 'Recusada',
    WITHDRAWN: 'Retirada',
    REJECTED: 'Rejeitada',
    EXPIRED: 'Expirada',
    FAILED: 'Falhou',
  },
  proposedBy: (name, age) => `${name}, há ${age}`,
  scopes: 'Pode',
  everything: 'Tudo, inclusive payouts',
  allowlist: 'De onde',
  anywhere: 'De qualquer lugar',
  roles: 'Papéis',
  proposer: 'Proposta por',
  expires: 'Expira',
  decider: 'Decidida por',
  decisionReason: 'Motivo da decisão',
  outcome: 'O que aconteceu',
  own: 'Você propôs: outra pessoa da conta decide. Nada acontece antes.',
  approve: { live: 'Aprovar e enviar', test: 'Aprovar e enviar (TESTE)' },
  agree: { live: 'Aprovar', test: 'Aprovar (TESTE)' },
  refuse: {
    open: 'Recusar…',
    title: 'Recusar a proposta',
    about: 'Nada disso é feito.',
    confirm: 'Recusar a proposta',
  },
  withdraw: 'Retirar',
};

export const proposePayout: MerchantTexts['payouts']['propose'] = {
  open: 'Novo payout',
  title: 'Novo payout',
  about: 'Outra pessoa da conta aprova antes do envio. Você confirma com a sua passkey.',
  externalIdHint: 'A sua referência. A mesma de novo nunca faz um segundo payout.',
  document: 'CPF ou CNPJ do destinatário',
  keyType: 'Tipo de chave',
  keyTypes: { cpf: 'CPF', cnpj: 'CNPJ', email: 'E-mail', phone: 'Telefone', random: 'Chave aleatória' },
  confirm: { live: 'Propor o payout', test: 'Propor o payout (TESTE)' },
};

export const refundPayment: MerchantTexts['payments']['refund'] = {
  open: 'Devolver…',
  title: 'Devolver o pagamento',
  about: (amount, refunded) =>
    `De ${amount}, ${refunded} já voltaram. A tarifa não é devolvida. Outra pessoa da conta aprova.`,
  externalIdHint: 'A sua referência da devolução.',
  amountHint: 'Em branco: tudo o que resta.',
  confirm: { live: 'Propor a devolução', test: 'Propor a devolução (TESTE)' },
};

export const approvalTasks: MerchantTexts['home']['approvals'] = (count) =>
  count === 1 ? 'Uma proposta de um colega espera por você.' : `${count} propostas de colegas esperam por você.`;
