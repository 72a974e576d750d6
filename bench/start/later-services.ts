/** Came after the bounds on the memory of the first seven had been set; each has a bound of its own. */
export const laterServices: readonly string[] = ['reconciler', 'identity'];
