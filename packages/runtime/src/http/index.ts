export * from '#src/http/address-range.ts';
export * from '#src/http/early-listener.ts';
export * from '#src/http/error-answer.ts';
export * from '#src/http/http-server.ts';
export * from '#src/http/security-headers.ts';
