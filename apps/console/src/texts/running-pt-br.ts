import type * as En from '#src/texts/running-en.ts';

/** What operators read of how the gateway itself is, in Brazilian Portuguese. */
export const running: typeof En.running = {
  title: 'Como está o gateway',
  seen: 'Os provedores são consultados a cada vez; as mensagens são contadas a cada 15 segundos.',
  writers: {
    title: 'Quem escreve os saldos',
    environment: 'Ambiente',
    state: 'Estado',
    writes: 'Escreve',
    starts: 'Está iniciando',
    none: 'Nada é escrito',
    writer: 'Processo',
    since: 'Escreve há',
    standbys: 'De prontidão',
    waiting: 'Comandos não decididos',
  },
  messages: {
    title: 'Mensagens entre serviços',
    unpublished: 'Próprias, ainda fora do barramento',
    unhandled: 'De outros, ainda não tratadas',
    allHandled: 'Nenhuma',
    waiting: (count, consumer) => `${count} em ${consumer}`,
    unknown: (consumer) => `ainda não contadas em ${consumer}`,
    readsNone: '–',
  },
};
