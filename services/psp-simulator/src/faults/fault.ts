/** What can go wrong with a call. `before`: nothing was done; `after`: it was, and the caller does not learn it. */
export const callFaults = [
  'timeout_before',
  'timeout_after',
  'error_before',
  'error_after',
  'reset_before',
  'reset_after',
  /** Done, and answered as a repeated id. */
  'duplicate',
  /** Done, and answered late. */
  'slow',
  /** Done, and answered with something else. */
  'nonsense',
  'throttled',
  'unauthorized',
] as const;
export type CallFault = (typeof callFaults)[number];

export const notificationFaults = ['lost', 'duplicated', 'reordered'] as const;
export type NotificationFault = (typeof notificationFaults)[number];

/** Operations a fault can be set for. */
export const operations = [
  'token',
  'create-charge',
  'get-charge',
  'cancel-charge',
  'create-transfer',
  'get-transfer',
  'check-key',
  'create-refund',
  'get-refund',
  'list',
  'statement',
  'balance',
  'place-order',
  'get-order',
  'market',
  'notification',
] as const;
export type Operation = (typeof operations)[number];
