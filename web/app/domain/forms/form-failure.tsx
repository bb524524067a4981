import type { Failure } from '../../submission.ts';
import { ErrorNotice, QuietNotice } from '../../ui/facts/notice.tsx';

export function FormFailure({ failure }: { failure: Failure | null }) {
  if (failure === null) return null;
  if (failure.kind === 'refused') return <ErrorNotice title={failure.title} detail={failure.detail} />;
  if (failure.kind === 'unsent')
    return <QuietNotice role="alert">Nothing was sent. {failure.why}</QuietNotice>;
  return (
    <QuietNotice role="alert">
      The server could not be reached, so nothing was sent. Check your connection and try again.
    </QuietNotice>
  );
}
