import type * as En from '#src/texts/history-en.ts';

/** The texts of pictures of the gateway's own work over time in Brazilian Portuguese. */
export const history: typeof En.history = {
  backlog: {
    title: 'Trabalho pendente',
    about: 'Contado a cada cinco minutos. A linha tem a maior contagem de cada hora ou dia.',
    none: 'Nada foi contado ainda.',
    kinds: {
      payout: 'Payouts em andamento',
      refund: 'Devoluções em andamento',
      delivery: 'Entregas de webhook em espera',
      event: 'Eventos não enviados, live e test',
    },
    last: 'na última contagem',
    most: 'Máximo',
    service: 'Serviço',
    atMost: (count) => `no máximo ${count}`,
    notCounted: 'não contado',
  },
  latency: {
    title: 'Latência dos provedores',
    about: 'Cada processo mede suas chamadas a um provedor. A linha tem o que 95 de 100 chamadas levaram no máximo.',
    none: 'Nenhum provedor foi chamado neste período.',
    last: (at) => `p95, desde ${at}`,
    calls: 'Chamadas',
    failed: 'Sem resposta',
    notCalled: 'sem chamadas',
    ofCalls: (p95, calls, failed) => `p95 ${p95} · ${calls} chamadas, ${failed} sem resposta`,
  },
};
