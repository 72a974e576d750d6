import type { CommonTexts } from '#src/texts/common-en.ts';

/** The texts of pictures over time in Brazilian Portuguese. */
export const charts: CommonTexts['charts'] = {
  title: 'Volume',
  direction: { in: 'Recebido', out: 'Pago' },
  measure: { label: 'Mostrar', amount: 'Valor', count: 'Quantidade', success: 'Sucesso' },
  period: { label: 'Período', day: '24 horas', week: '7 dias', month: '30 dias' },
  ofEnded: (paid, ended, share) => `Sucesso ${share} · ${paid} de ${ended}`,
  nothing: 'nada foi encerrado',
  none: 'Nenhum pagamento foi encerrado neste período.',
  table: 'Em tabela',
  time: 'Desde',
  paid: 'Pagos',
  ended: 'Encerrados',
  at: 'Em',
  latency: 'Quanto demoraram as últimas chamadas',
  took: 'Duração',
  answer: 'Resposta',
  balance: 'Saldo ao longo do tempo',
  lastBalance: 'Disponível no último ponto',
};

/** The texts of pages that follow what changes. */
export const live: CommonTexts['live'] = {
  state: { live: 'Em tempo real', polling: 'A cada 15 s', offline: (since) => `Sem conexão desde ${since}` },
  about: 'Se esta página acompanha o que muda',
  changes: (count) => (count === 1 ? '1 mudança: ler de novo' : `${count} mudanças: ler de novo`),
  maybe: 'Pode haver mudanças: ler de novo',
};
