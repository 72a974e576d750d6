import type { CommonTexts } from '#src/texts/common-en.ts';
import { charts, live } from '#src/texts/charts-pt-br.ts';
import { keyboard } from '#src/texts/keyboard-pt-br.ts';
import { session } from '#src/texts/session-pt-br.ts';

const records: CommonTexts['records'] = {
  stuck: 'Precisa de um operador',
  age: (age) => `há ${age}`,
  words: 'Palavras do provedor',
  timeline: 'Linha do tempo',
  lookUp: 'Consultar o provedor agora',
  lookedUp: 'O provedor foi consultado; esta é a resposta.',
  nothingStuck: (time) => `Nada está parado. Verificado às ${time}.`,
  empty: 'Nenhum registro corresponde a estes filtros.',
  payer: 'Pagador',
  attempts: 'Tentativas',
  left: (age) => `faltam ${age}`,
  past: (age) => `encerrado há ${age}`,
  returnId: 'Id da devolução',
  failure: 'Por que falhou',
  reason: 'Motivo',
};

const reveal = {
  masked: 'Dados pessoais estão mascarados.',
  open: 'Mostrar…',
  title: 'Mostrar dados pessoais',
  about: 'Quem os viu, e por quê, fica na trilha de auditoria antes de serem mostrados.',
  reason: 'Por que precisam ser vistos',
  confirm: 'Mostrar',
  shown: 'Dados pessoais são mostrados.',
  hide: 'Mascarar de novo',
};

/** What every console says in Brazilian Portuguese. */
export const commonPtBr: CommonTexts = {
  skip: 'Ir para o conteúdo',
  environment: {
    label: 'Ambiente',
    live: 'Produção',
    test: 'Teste',
    testBar: 'TESTE: nenhum dinheiro real nesta página',
  },
  language: 'Idioma',
  signOut: 'Sair',
  states: {
    loading: 'Carregando',
    failed: 'Não foi possível carregar.',
    notFound: 'Não existe este registro.',
    unknown: 'Ainda não se sabe se isto foi feito. O registro é lido de novo antes de qualquer repetição.',
    retry: 'Tentar de novo',
    requestId: 'Id da requisição',
    incomplete: (services: string) => `Incompleto: ${services} não respondeu.`,
    updatedAt: (time: string) => `Às ${time}`,
  },
  copy: { copy: (what: string) => `Copiar ${what}`, copied: 'Copiado' },
  list: {
    noneHere: 'Nenhum nesta página. Pode haver mais antigos.',
    newer: 'Voltar aos mais recentes',
    older: 'Mais antigos',
    filterAny: 'Qualquer',
    clear: 'Limpar os filtros',
  },
  facts: {
    account: 'Conta',
    amount: 'Valor',
    fee: 'Tarifa',
    status: 'Estado',
    created: 'Criado',
    externalId: 'Id externo',
    e2eId: 'Id fim a fim',
    provider: 'Provedor',
    reference: 'Referência no provedor',
    providerRef: 'Id do provedor',
    recipient: 'Destinatário',
    key: 'Chave',
    kind: 'Tipo',
    record: 'Registro',
    traceId: 'Trace',
    environment: 'Ambiente',
  },
  payoutStatus: {
    PENDING: 'Aguarda aprovação',
    PROCESSING: 'Em processamento',
    PAID: 'Pago',
    FAILED: 'Falhou',
    REJECTED: 'Recusado',
  },
  oldPage: {
    title: 'Esta página não pôde ser mostrada',
    about:
      'Talvez tenha saído uma versão mais nova do console desde que esta aba foi aberta. Recarregue para continuar.',
    reload: 'Recarregar',
  },
  cancel: 'Cancelar',
  reasonFor: 'Motivo, para os outros operadores',
  session,
  reveal,
  records,
  keyboard,
  charts,
  live,
};
