import fc from 'fast-check';

/** What is drawn by chance is drawn the same way for each mutant and in each run, so that figures can be repeated. */
fc.configureGlobal({ seed: 7 });
