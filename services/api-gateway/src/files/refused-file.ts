import { ValidationError } from '@gateway/contracts/errors';

/** @param message says what a sender can do about it: they may not know what their file contains */
export function refusedFile(message: string): ValidationError {
  return new ValidationError([{ path: 'file', message }]);
}

const sideMax = 12_000;
const pixelsMax = 50_000_000;

/**
 * By the header alone: a program that shows the picture makes room for what its header says.
 *
 * @throws ValidationError naming `file`
 */
export function requireShowable(width: number, height: number): void {
  if (width === 0 || height === 0) throw refusedFile('must be a picture with a width and a height');
  if (width <= sideMax && height <= sideMax && width * height <= pixelsMax) return;
  throw refusedFile(`must be at most ${sideMax} by ${sideMax} and ${pixelsMax} pixels: save it smaller`);
}
