// The runner of `@medusajs/test-utils` expects the test functions to be global, and one shop at a time.
export default {
  test: {
    ...{ globals: true, include: ['*.spec.ts'], maxWorkers: 1 },
    ...{ testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } },
  },
};
