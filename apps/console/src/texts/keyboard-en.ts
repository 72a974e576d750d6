/** The texts of the keys in English. */
export const keyboard = {
  title: 'Keyboard',
  about: 'Single keys are commands wherever nothing is typed.',
  search: 'Search',
  rows: 'Next row, row before',
  open: 'Open the row',
  beside: 'Open the row beside the list',
  close: 'Close; back to the list',
  select: 'Select the row',
  filter: 'To the filters',
  list: 'This list',
  letters: 'Single keys are commands',
  done: 'Close',
};
