import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of what is made to happen in test mode, in Mexican Spanish. */
export const simulate: MerchantTexts['simulate'] = {
  title: 'Hacer que pase (PRUEBA)',
  what: 'Qué pasa',
  whole: 'Vacío: el monto completo.',
  confirm: 'Simular (PRUEBA)',
  sameCall: 'Lo mismo desde un programa',
  acts: {
    pay: { label: 'Se paga', about: 'El monto completo; se acredita y se envía deposit.paid.' },
    expire: { label: 'Se acaba el tiempo', about: 'Ya no puede pagarse a tiempo; se envía deposit.expired.' },
    dispute: { label: 'Quien pagó lo disputa', about: 'El monto se bloquea y se envía med.opened.' },
    won: { label: 'Usted tiene razón', about: 'El monto vuelve a estar disponible y se envía med.won.' },
    lost: { label: 'Quien pagó tiene razón', about: 'El monto sale del saldo y se envía med.lost.' },
    approve: { label: 'El operador lo aprueba', about: 'Se envía; siguen payout.processing y payout.paid.' },
    paid: { label: 'El destinatario tiene el dinero', about: 'Se envía payout.paid.' },
    failed: { label: 'Falla', about: 'Monto y comisión vuelven, y se envía payout.failed.' },
    returned: { label: 'El banco del destinatario lo devuelve', about: 'Se acredita y se envía payout.returned.' },
    failing: {
      label: 'Falla durante una hora',
      about: 'Otros endpoints y el registro de eventos reciben webhook.failing.',
    },
    disabled: { label: 'Falla durante tres días', about: 'Ya no se le envía nada; otros reciben webhook.disabled.' },
    release: { label: 'Pasan los días', about: 'Todo lo pendiente queda disponible.' },
  },
};
