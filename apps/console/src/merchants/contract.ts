/** The contract in which people are answered, which every operation of the merchants' interface has to be called in. */
export const contract = { 'X-Api-Version': '1.0' } as const;
