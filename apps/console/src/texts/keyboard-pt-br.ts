import type { CommonTexts } from '#src/texts/common-en.ts';

/** The texts of the keys in Brazilian Portuguese. */
export const keyboard: CommonTexts['keyboard'] = {
  title: 'Teclado',
  about: 'Teclas sozinhas são comandos onde nada é digitado.',
  search: 'Buscar',
  rows: 'Próxima linha, linha anterior',
  open: 'Abrir a linha',
  beside: 'Abrir a linha ao lado da lista',
  close: 'Fechar; voltar à lista',
  select: 'Selecionar a linha',
  filter: 'Ir aos filtros',
  list: 'Esta lista',
  letters: 'Teclas sozinhas são comandos',
  done: 'Fechar',
};
