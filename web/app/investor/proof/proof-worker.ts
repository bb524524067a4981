import { checkProofFile, type ProofFile, type Trust } from '@tallystick/verify/proof-file';

export interface CheckOrder {
  file: ProofFile;
  /** The reader's own e-mail address, which is never taken from what is checked. */
  id: string;
  trust: Trust;
}

// A long record is many hashes; here they keep nobody's finger waiting.
addEventListener('message', ({ data: { file, id, trust } }: MessageEvent<CheckOrder>) => {
  postMessage(checkProofFile(file, id, trust));
});
