import { paper, papers } from '@tallystick/contract/papers';
import { callApi, fetchFile } from '../../api.ts';
import type { PaperSource } from '../../domain/papers/statements.tsx';

export const ownPapers: PaperSource = {
  key: 'own',
  span: (query) => callApi(papers, { query }, { inTurn: true }),
  file: (query) => fetchFile(paper, { query }),
};
