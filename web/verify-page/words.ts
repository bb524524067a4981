import type { Step } from '@tallystick/verify/proof-file';

interface Words {
  title: string;
  proves: string;
  not: string;
}

/** What each step is for, for people who have never heard of a hash. */
export const words: Record<Step['name'], Words> = {
  chains: {
    title: '1. Your own entries',
    proves:
      'Every entry of your wallet, of what is invested and of what is being withdrawn follows from the one before it. None was changed, left out or put in another order.',
    not: 'That the house did not write all of them anew. The four steps below, and what was remembered before, show that.',
  },
  leaf: {
    title: '2. You in the total',
    proves:
      'Your money, to the cent, is part of the total that the house says it owes. It is counted with you alone, and the total is not smaller than its parts.',
    not: 'That others are counted. Each of them has to look for themselves.',
  },
  log: {
    title: '3. The total in the public log',
    proves: 'The total was published in the log that everybody can read, and the house has signed that log.',
    not: 'That the log has one content for everybody. Steps 4 and 5 are about that.',
  },
  consistency: {
    title: '4. The log of today and the log of before',
    proves:
      'All that the log told when it was last looked at is still in it, in the same place. Nothing was taken back.',
    not: 'What the log told others meanwhile.',
  },
  witnesses: {
    title: '5. The witnesses',
    proves:
      'Others than the house have seen the log grow and have signed this very state of it. A second log for you alone would lack their signatures.',
    not: 'That what the log tells is true, or that the witnesses are independent. Find out who they are.',
  },
};

/** What a demo calls its own witness. */
export const sampleWitness = {
  name: 'sample-witness',
  says: 'Only the sample witness of a demo has signed this log.',
  why: 'It runs beside the server and shows how a witness works. It proves nothing.',
};

export const stateWords: Record<Step['state'], string> = {
  holds: 'Holds',
  broken: 'Broken',
  unchecked: 'Could not be checked',
};
