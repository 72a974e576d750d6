import type * as En from '#src/texts/running-en.ts';

/** What operators read of how the gateway itself is, in Mexican Spanish. */
export const running: typeof En.running = {
  title: 'Cómo está el gateway',
  seen: 'Los proveedores se consultan cada vez; los mensajes se cuentan cada 15 segundos.',
  writers: {
    title: 'Quién escribe los saldos',
    environment: 'Ambiente',
    state: 'Estado',
    writes: 'Escribe',
    starts: 'Está iniciando',
    none: 'No se escribe nada',
    writer: 'Proceso',
    since: 'Escribe desde hace',
    standbys: 'En espera',
    waiting: 'Comandos sin decidir',
  },
  messages: {
    title: 'Mensajes entre servicios',
    unpublished: 'Propios, todavía fuera del bus',
    unhandled: 'De otros, todavía sin atender',
    allHandled: 'Ninguno',
    waiting: (count, consumer) => `${count} en ${consumer}`,
    unknown: (consumer) => `todavía sin contar en ${consumer}`,
    readsNone: '–',
  },
};
