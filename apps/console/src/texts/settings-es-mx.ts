/** What operators read where they change what an account has and may, in Mexican Spanish. */
export const settings = {
  ownTerms: 'Desde entonces MXN tiene valores propios; antes, los de BRL valen también para él.',
  details: {
    open: 'Datos…',
    title: 'Datos de la cuenta',
    about: 'Valen de inmediato. Otro documento, o ninguno, exige dos operadores: las liquidaciones van a su titular.',
    retention: 'Días en que se retienen los depósitos',
    perSecond: 'Llamadas por segundo',
    burst: 'Llamadas a la vez',
    confirm: 'Guardar',
  },
  teamChange: {
    open: 'Segunda persona…',
    title: 'Segunda persona del equipo',
    about:
      'Qué payouts y reembolsos deciden dos personas de la cuenta. Pedirlo más veces vale de inmediato; menos veces exige dos operadores.',
    options: { all: 'Para cada payout', over: 'Por encima de un monto', none: 'No se pide' },
    amount: 'Por encima de',
    amountHint: 'Solo para la segunda opción.',
    confirm: 'Guardar',
  },
  integrations: {
    title: 'Restricciones del conector',
    empty: 'El conector no está restringido para esta cuenta.',
    prefix: 'Prefijo',
    payouts: 'Payouts',
    restrict: {
      open: 'Restringir…',
      title: 'Restringir el conector',
      about:
        'Sustituye lo que estaba restringido en este prefijo, y restringe solo las llamadas debajo de él. Más direcciones que antes exigen otro operador.',
      on: 'se aceptan',
      off: 'se rechazan',
      confirm: 'Restringir',
    },
    lift: {
      open: 'Levantar…',
      title: 'Levantar las restricciones',
      about:
        'Desde entonces la cuenta llama a este prefijo como a cualquier otro. Donde hay direcciones listadas, otro operador decide.',
      confirm: 'Levantar',
    },
  },
};
