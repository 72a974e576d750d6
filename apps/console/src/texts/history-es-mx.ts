import type * as En from '#src/texts/history-en.ts';

/** The texts of pictures of the gateway's own work over time in Mexican Spanish. */
export const history: typeof En.history = {
  backlog: {
    title: 'Trabajo pendiente',
    about: 'Se cuenta cada cinco minutos. La línea tiene la cuenta más alta de cada hora o día.',
    none: 'Todavía no se ha contado nada.',
    kinds: {
      payout: 'Payouts en curso',
      refund: 'Devoluciones en curso',
      delivery: 'Entregas de webhook en espera',
      event: 'Eventos sin enviar, live y test',
    },
    last: 'en la última cuenta',
    most: 'Máximo',
    service: 'Servicio',
    atMost: (count) => `${count} como máximo`,
    notCounted: 'sin contar',
  },
  latency: {
    title: 'Latencia de proveedores',
    about:
      'Cada proceso mide sus llamadas a un proveedor. La línea tiene lo que tardaron como máximo 95 de cada 100 llamadas.',
    none: 'No se llamó a ningún proveedor en este periodo.',
    last: (at) => `p95, desde ${at}`,
    calls: 'Llamadas',
    failed: 'Sin respuesta',
    notCalled: 'sin llamadas',
    ofCalls: (p95, calls, failed) => `p95 ${p95} · ${calls} llamadas, ${failed} sin respuesta`,
  },
};
