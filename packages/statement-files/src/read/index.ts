export { type ReadMovement, type ReadSummary, UnreadableStatement } from '#src/read/movement.ts';
export { readStatementFile, type StatementFile } from '#src/read/read-statement-file.ts';
export { fileBytesMax } from '#src/read/text.ts';
