import { type ChainLine, type ChainLink, followChain } from '@tallystick/verify/chain';

export interface FollowOrder {
  from: ChainLink;
  lines: ChainLine[];
}

// A long record is many hashes; here they keep nobody's finger waiting.
addEventListener('message', ({ data }: MessageEvent<FollowOrder>) => {
  postMessage(followChain(data.from, data.lines));
});
