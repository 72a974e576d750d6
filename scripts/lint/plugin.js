import { importOrder } from './import-order.js';
import { secretComparison } from './secret-comparison.js';
import { words } from './words.js';

/** Rules of this house, in the form that ESLint gave plugins. */
export default {
  meta: { name: 'gateway' },
  rules: { 'import-order': importOrder, 'secret-comparison': secretComparison, words },
};
