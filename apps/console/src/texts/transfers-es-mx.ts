import type * as En from '#src/texts/transfers-en.ts';

/** The texts of transfers of our own and of how statements are read, in Mexican Spanish. */
export const ownTransfer: typeof En.ownTransfer = {
  open: 'Transferencia propia…',
  title: 'Una transferencia de dinero propio',
  about: 'Un abono a la cuenta, o lo que se retiró de ella. Otro operador decide; después se registra, una vez.',
  direction: 'En qué sentido',
  in: 'a la cuenta',
  out: 'desde la cuenta',
  by: 'Cómo la nombra el estado de cuenta',
  knownBy: {
    reference: 'su línea aún no está: por una referencia',
    line: 'su línea ya está: por el id de la línea',
  },
  name: 'Referencia, o id de la línea',
  nameHint: 'Un id de la transferencia, o una palabra que tendrá su texto.',
};

export const mapping: typeof En.mapping = {
  open: 'Cómo se lee un CSV…',
  title: 'Cómo se lee el CSV de un banco',
  about:
    'Nombres de sus columnas, como los tiene su encabezado. Otro operador decide; antes sirve para leer sin guardar.',
  delimiter: 'Entre dos columnas',
  encoding: 'Codificación',
  headerLine: 'Línea con los nombres de las columnas',
  date: 'Columna: fecha',
  dateFormat: 'Cómo se escribe una fecha',
  zone: 'Zona de sus días',
  amount: 'Columna: monto',
  decimal: 'Antes de los decimales',
  sign: 'Columna: sentido del dinero',
  signHint: 'Déjela vacía si los cargos llevan un menos.',
  credit: 'Ahí, para dinero que llegó',
  debit: 'Ahí, para dinero que salió',
  oneALine: 'Un valor por línea; solo con una columna que lo tenga.',
  columns: {
    id: 'Id propio del banco',
    type: 'Tipo',
    text: 'Descripción',
    e2e: 'Id de extremo a extremo',
    balance: 'Saldo posterior',
  },
  others: 'Otras columnas, cada una solo si el archivo la tiene',
};
