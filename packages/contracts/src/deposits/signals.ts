/**
 * Core NATS subject on which deposits publishes that `list-providers` has another answer: what operators decide about a
 * provider, or what it holds. Without a body: who hears it asks. It is a hint, so they also ask from time to time.
 */
export const providersChangedSignal = 'signal.providers.changed';
