// The runner of `@medusajs/test-utils` expects the test functions to be global, and one shop at a time.
export default {
  test: { globals: true, include: ['*.spec.ts'], testTimeout: 180_000, hookTimeout: 180_000, maxWorkers: 1 },
};
