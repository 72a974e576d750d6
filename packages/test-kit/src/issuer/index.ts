export * from '#src/issuer/local-issuer.ts';
