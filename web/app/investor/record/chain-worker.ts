import { type ChainLine, type ChainLink, followChain } from './chain.ts';

export interface FollowOrder {
  from: ChainLink;
  lines: ChainLine[];
}

// A long record is many hashes; here they keep nobody's finger waiting.
addEventListener('message', async ({ data }: MessageEvent<FollowOrder>) => {
  postMessage(await followChain(data.from, data.lines));
});
