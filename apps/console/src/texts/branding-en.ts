/** The texts of what payers see of a merchant, in English. */
export const branding = {
  title: 'Payment page',
  about: 'What your payers see beside your name. Live and test each have their own.',
  color: 'Colour of the buttons',
  house: 'The colour of the house',
  logo: 'Logo',
  logoHint: 'A PNG picture, at most 1024 by 512 pixels and 44 KB.',
  toHouse: 'Use the colour of the house',
  withoutLogo: 'Take the logo out',
  save: { live: 'Save', test: 'Save (TEST)' },
  saved: 'Saved.',
  preview: 'As a payer sees it',
  payTo: (name: string) => `Pay to ${name}`,
  copyCode: 'Copy the code',
};
