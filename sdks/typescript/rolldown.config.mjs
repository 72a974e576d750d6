/**
 * One file for each entry, beside what several of them share (`errors`, so that an error is of the same class however it is
 * imported): each further file costs a program about a millisecond of its start. The types stay as the compiler writes them.
 */
export default {
  input: {
    index: 'src/index.ts',
    'webhooks/index': 'src/webhooks/index.ts',
    'testing/index': 'src/testing/index.ts',
  },
  platform: 'neutral',
  tsconfig: 'tsconfig.dist.json',
  output: {
    dir: 'dist',
    chunkFileNames: 'shared/[name].js',
    // Editors show those of the types.
    comments: { jsdoc: false },
    sourcemap: true,
    // The sources are in the package.
    sourcemapExcludeSources: true,
  },
};
