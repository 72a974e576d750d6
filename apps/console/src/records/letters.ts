const storedAs = 'letters';

/** Whether single keys are commands, which they are until a person of this browser says otherwise. */
export function areLettersOn(): boolean {
  return localStorage.getItem(storedAs) !== 'off';
}

export function switchLetters(isOn: boolean): void {
  localStorage.setItem(storedAs, isOn ? 'on' : 'off');
}
