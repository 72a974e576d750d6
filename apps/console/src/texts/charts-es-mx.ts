import type { CommonTexts } from '#src/texts/common-en.ts';

/** The texts of pictures over time in Mexican Spanish. */
export const charts: CommonTexts['charts'] = {
  title: 'Volumen',
  direction: { in: 'Cobrado', out: 'Pagado' },
  measure: { label: 'Mostrar', amount: 'Monto', count: 'Cantidad', success: 'Éxito' },
  period: { label: 'Período', day: '24 horas', week: '7 días', month: '30 días' },
  ofEnded: (paid, ended, share) => `Éxito ${share} · ${paid} de ${ended}`,
  nothing: 'nada terminó',
  none: 'Ningún pago terminó en este período.',
  table: 'Como tabla',
  time: 'Desde',
  paid: 'Pagados',
  ended: 'Terminados',
  at: 'El',
  latency: 'Cuánto tardaron las últimas llamadas',
  took: 'Duración',
  answer: 'Respuesta',
  balance: 'Saldo en el tiempo',
  lastBalance: 'Disponible en el último punto',
};

/** The texts of pages that follow what changes. */
export const live: CommonTexts['live'] = {
  state: { live: 'En tiempo real', polling: 'Cada 15 s', offline: (since) => `Sin conexión desde ${since}` },
  about: 'Si esta página sigue lo que cambia',
  changes: (count) => (count === 1 ? '1 cambio: leer de nuevo' : `${count} cambios: leer de nuevo`),
  maybe: 'Puede haber cambios: leer de nuevo',
};
