import { networks } from '@tallystick/contract/networks';
import { useNow } from '../../../domain/now.ts';
import { QuietNotice } from '../../../ui/facts/notice.tsx';
import { useChains } from './use-chains.ts';
import { isTroubled } from './wording.ts';

export const networksId = 'networks';

/** Above the lists, and only when something is wrong: a deposit may be there that the queue does not show. */
export function NetworkTrouble() {
  const { data } = useChains();
  const now = useNow();
  const names = data?.networks.filter((one) => isTroubled(one, now)).map((one) => networks[one.network].name);
  const lost = data?.counts.lost ?? 0;
  if (!data || (names?.length === 0 && lost === 0)) return null;
  return (
    <QuietNotice role="status">
      {names && names.length > 0 && (
        <p>
          <b className="font-semibold text-1">{names.join(', ')} cannot be read now.</b> What is paid there is
          seen once it can.
        </p>
      )}
      {lost > 0 && (
        <p>
          <b className="font-semibold text-1">A credited payment is gone with its block.</b> The withdrawals
          of its investor are frozen.
        </p>
      )}
      <a className="textlink" href={`#${networksId}`}>
        See the networks
      </a>
    </QuietNotice>
  );
}
