import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of the event log in Mexican Spanish. */
export const events: MerchantTexts['events'] = {
  title: 'Eventos',
  first: 'Aún no ha pasado nada. Todo evento aparece aquí, lo reciba o no un endpoint.',
  happened: 'Ocurrió',
  kinds: {
    deposit: 'Todos los de pagos',
    refund: 'Todos los de reembolsos',
    payout: 'Todos los de payouts',
    med: 'Todos los de disputas',
    conversion: 'Todos los de conversiones',
    export: 'Todos los de exportaciones',
    webhook: 'Todos los de webhooks',
  },
  payload: 'El registro como estaba entonces',
  payloadAbout:
    'Es el “data” del evento en el contrato 1.0. Los datos personales se muestran enmascarados en esta página; sus endpoints los reciben completos.',
  noDeliveries: 'Ningún endpoint lo recibió.',
  noEndpoints: 'Aún no hay endpoints. Cree uno primero en Webhooks.',
  deliver: {
    open: 'Entregar…',
    title: 'Entregar el evento',
    about:
      'Va al endpoint aunque no esté suscrito a él, con el registro como estaba entonces. A un endpoint que ya lo recibió se le envía otra vez, con el mismo id de evento.',
    confirm: 'Entregar',
  },
  replay: {
    open: 'Reenviar periodo…',
    title: 'Reenviar un periodo',
    about: 'El endpoint recibe, en su orden, los eventos del periodo a los que está suscrito y que nunca se le dieron.',
    since: 'Desde',
    until: 'Hasta',
    untilHint: 'En blanco: hasta ahora.',
    zone: (zone) => `En la zona ${zone}.`,
    all: 'Todos a los que está suscrito',
    confirm: 'Reenviar el periodo',
    outcome: (count) =>
      count === 0
        ? 'No se envía nada: el endpoint ya recibió todos los eventos de este periodo a los que está suscrito.'
        : count === 1
          ? '1 evento que el endpoint nunca recibió va en camino.'
          : `${count} eventos que el endpoint nunca recibió van en camino.`,
    notSent: 'Lo que no se envía',
    leftOut: [
      'Lo que ya se le dio al endpoint. Lo que de eso falló se envía con “Recuperar…”, en la página del endpoint.',
      'Eventos a los que no está suscrito. Uno de ellos se envía con “Entregar…”, en la página del evento.',
      'Eventos que ya salieron del registro de eventos, y los que tratan del propio endpoint.',
      'Lo que falte por enviar cuando se desactive el endpoint.',
    ],
    seeDeliveries: 'Ver qué pasó con cada uno',
  },
};
