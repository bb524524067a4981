import { QuietNotice } from '../../ui/facts/notice.tsx';
import { localText, longDateText, utcText } from '../invest/maturity-time.ts';
import { useProfile } from '../use-profile.ts';

/** After a password reset: told before someone types an address that would be refused. */
export function NewAddressesWait() {
  const until = useProfile().data?.newaddressesafter;
  if (!until) return null;
  const at = new Date(until);
  const local = localText(at);
  return (
    <QuietNotice>
      Your password was reset. Until {longDateText(at)}, {utcText(at)}
      {local && ` (${local})`}, withdrawals go only to addresses that you were paid to before.
    </QuietNotice>
  );
}
