import type { CommonTexts } from '#src/texts/common-en.ts';

/** The texts of the keys in Mexican Spanish. */
export const keyboard: CommonTexts['keyboard'] = {
  title: 'Teclado',
  about: 'Las teclas solas son comandos donde no se escribe.',
  search: 'Buscar',
  rows: 'Fila siguiente, fila anterior',
  open: 'Abrir la fila',
  beside: 'Abrir la fila junto a la lista',
  close: 'Cerrar; volver a la lista',
  select: 'Seleccionar la fila',
  filter: 'Ir a los filtros',
  list: 'Esta lista',
  letters: 'Las teclas solas son comandos',
  done: 'Cerrar',
};
