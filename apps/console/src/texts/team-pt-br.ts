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
  isNew: 'Destinatário novo',
  own: 'Você propôs: outra pessoa da conta decide. Nada acontece antes.',
  approve: { live: 'Aprovar e enviar', test: 'Aprovar e enviar (TESTE)' },
  agree: { live: 'Aprovar', test: 'Aprovar (TESTE)' },
  refuse: {
    open: 'Recusar…',
    title: 'Recusar a proposta',
    about: 'Nada disso é feito.',
    confirm: 'Recusar a proposta',
  },
  selection: {
    approve: (count) => (count === 1 ? 'Aprovar a selecionada…' : `Aprovar ${count}…`),
    title: (count) => `Aprovar ${count}`,
    about: 'São executadas uma após a outra, cada uma exatamente como foi proposta. Cada uma é confirmada por si.',
    confirm: {
      live: (count) => `Aprovar e enviar ${count}`,
      test: (count) => `Aprovar e enviar ${count} (TEST)`,
    },
    sum: 'No total:',
    fresh: (count) => (count === 1 ? 'Destinatário novo' : `${count} destinatários novos`),
    approved: (count) => `Aprovadas: ${count}.`,
    proposed: (by, reason) => (reason === null ? `Proposta de ${by}` : `Proposta de ${by}: ${reason}`),
    refuse: (count) => (count === 1 ? 'Recusar a selecionada…' : `Recusar ${count}…`),
    refuseAbout: 'Nada delas é feito. Cada uma é recusada por um motivo próprio e confirmada por si.',
    confirmRefusal: (count) => `Recusar ${count}`,
    refused: (count) => `Recusadas: ${count}.`,
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
  keyHint: 'CPF, CNPJ, e-mail, telefone ou chave aleatória; o tipo é reconhecido.',
  after: 'Disponível depois',
  tooMuch: 'Mais do que o disponível: seria recusado na aprovação.',
  paidBefore: (at) => `Este destinatário já foi pago, a última vez em ${at}.`,
  newRecipient: 'Este destinatário nunca foi pago por esta conta. Confira o nome, o documento e a chave.',
  confirm: { live: 'Propor o payout', test: 'Propor o payout (TESTE)' },
};

export const refundPayment: MerchantTexts['payments']['refund'] = {
  open: 'Devolver…',
  left: 'Resta a devolver',
  title: 'Devolver o pagamento',
  about: (amount, refunded) =>
    `De ${amount}, ${refunded} já voltaram. A tarifa não é devolvida. Outra pessoa da conta aprova.`,
  externalIdHint: 'A sua referência da devolução.',
  amountHint: 'Em branco: tudo o que resta.',
  confirm: { live: 'Propor a devolução', test: 'Propor a devolução (TESTE)' },
};

export const approvalTasks: MerchantTexts['home']['approvals'] = (count) =>
  count === 1 ? 'Uma proposta de um colega espera por você.' : `${count} propostas de colegas esperam por você.`;

export const batchOfPayouts: MerchantTexts['payouts']['batch'] = {
  open: 'De um arquivo',
  title: 'Payouts de um arquivo',
  template: 'Baixar um exemplo',
  file: 'Arquivo (CSV)',
  fileHint: (max) =>
    `Colunas external_id, amount, key, name, document e, se quiser, key_type. No máximo ${max} linhas.`,
  empty: 'Não há linhas neste arquivo.',
  tooMany: (rows, max) => `O arquivo tem ${rows} linhas, e uma proposta tem no máximo ${max}. Nada foi proposto.`,
  rows: 'Linhas',
  total: 'Soma',
  line: 'Linha',
  ok: 'Pode ser proposto',
  bad: 'Tem um erro',
  wrong: (count) =>
    count === 1
      ? 'Uma linha tem um erro. Corrija o arquivo e escolha-o de novo: nada é proposto antes de todas estarem certas.'
      : `${count} linhas têm erros. Corrija o arquivo e escolha-o de novo: nada é proposto antes de todas estarem certas.`,
  fault: {
    externalId: 'falta external_id.',
    twice: 'external_id já está em uma linha acima.',
    amount: 'amount não é um valor.',
    key: 'key não é de um tipo conhecido.',
    name: 'falta name.',
    document: 'document não é CPF nem CNPJ.',
  },
  confirm: (count) => ({
    live: count === 1 ? 'Propor o payout' : `Propor os ${count} payouts`,
    test: count === 1 ? 'Propor o payout (TESTE)' : `Propor os ${count} payouts (TESTE)`,
  }),
};
