import fc from 'fast-check';

/** A fault is noticed by the first counterexample: looking for a smaller one takes many times as long. */
fc.configureGlobal({ endOnFailure: true });
