import { Chip } from '../app/ui/facts/chip.tsx';
import { BigMoney, SignedMoney } from '../app/ui/facts/money.tsx';
import { ErrorNotice, QuietNotice } from '../app/ui/facts/notice.tsx';
import { Qr } from '../app/ui/facts/qr.tsx';
import { QrParts } from '../app/ui/facts/qr-parts.tsx';
import { Spinner } from '../app/ui/facts/spinner.tsx';
import { SuccessMark } from '../app/ui/facts/success-mark.tsx';
import type { Stories } from './story.ts';

export const facts: Stories = {
  chip: () => (
    <div className="flex flex-wrap gap-3">
      <Chip look="going">Running</Chip>
      <Chip look="done">Paid</Chip>
      <Chip look="waiting">Pending</Chip>
      <Chip look="refused">Rejected</Chip>
    </div>
  ),
  money: () => (
    <div className="flex flex-wrap items-baseline gap-6">
      <SignedMoney cents={123_456n} />
      <SignedMoney cents={-123_456n} />
      <span className="text-[2.5rem]/none font-semibold">
        <BigMoney cents={1_234_567_890n} />
      </span>
    </div>
  ),
  notice: () => (
    <>
      <ErrorNotice title="Insufficient Funds" detail="There are $20.00 in your wallet." />
      <ErrorNotice title="Something went wrong" />
      <QuietNotice>New addresses wait for a day after a password was reset.</QuietNotice>
    </>
  ),
  qr: () => (
    <>
      <Qr text="bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" label="Address" />
      <Qr isLarge text={'cHNidP8BAH0CAAAAAc'.repeat(60)} label="Transaction" />
    </>
  ),
  'qr-parts': () => (
    <QrParts
      parts={['ONE', 'TWO', 'THREE'].map((word) => word.repeat(60))}
      label="QR code of something long"
    />
  ),
  spinner: Spinner,
  'success-mark': SuccessMark,
};
