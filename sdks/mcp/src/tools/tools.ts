import { createTestDeposit, payTestDeposit, redeliver, triggerEvent } from './changes.ts';
import { explainDelivery } from './explain-delivery.ts';
import { explainError, findPayment, getBalance, getEvent, listTransactions, listWebhooks } from './reads.ts';
import { searchDocs } from './search-docs.ts';
import type { Tool } from './tool.ts';

/** Every tool there is, by name, so that the list is the same in every process. */
export const tools: readonly Tool[] = [
  createTestDeposit,
  explainDelivery,
  explainError,
  findPayment,
  getBalance,
  getEvent,
  listTransactions,
  listWebhooks,
  payTestDeposit,
  redeliver,
  searchDocs,
  triggerEvent,
];
