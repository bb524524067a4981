import { CircleAlert } from 'lucide-react';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { KeyFigure, Live, LivePart } from './live-part.tsx';

/** `live-log.ts` fills it in. */
export function LogSection() {
  return (
    <section className="wrap rhythm">
      <h2 className="text-section">The public log</h2>
      <p className="mt-3 max-w-[66ch] text-sub text-2 tablet:mt-4">
        A list that only grows. Each state of it is signed, and whoever kept an earlier one can see that it is
        still contained in the newest. Witnesses do that all the time: they sign a state only if it goes on
        from the one they signed before, so that two different logs cannot both be signed by them.
      </p>
      <LivePart id="log" what="The state of the log" heightClass="h-48" none="There is no log yet.">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5 tabular-nums tablet:gap-5">
          <div
            data-optional
            role="alert"
            className="grid grid-cols-[24px_1fr] gap-3 rounded-card border-2 border-debit bg-surface p-5"
          >
            <CircleAlert className="size-6 text-debit" strokeWidth={1.75} aria-hidden="true" />
            <div>
              <p className="font-semibold text-debit">Nothing new is signed at the moment</p>
              <p className="text-control text-2">
                What is shown here was signed before. The server says to whoever runs it:{' '}
                <Live text="stopped" />
              </p>
            </div>
          </div>
          <Card aria-label="State of the log">
            <dl className="grid divide-line tablet:grid-cols-2 max-tablet:divide-y tablet:divide-x">
              <KeyFigure name="Length" value="size" note={<Live text="signedat" />} />
              <KeyFigure name="Witnesses" value="witnesses" note={<Live text="witnessNote" />} />
            </dl>
            <ul data-witnesses className="border-t border-line px-5 tablet:px-6">
              <li className="border-line py-3.5 not-first:border-t">
                <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                  <b className="font-semibold wrap-anywhere">
                    <Live text="name" />
                  </b>
                  <span data-optional>
                    <SampleChip />
                    <span data-text="sample" hidden />
                  </span>
                </p>
                <p data-optional className="text-label text-2">
                  <Live text="sampleNote" />
                </p>
                <p className="text-caption text-3">
                  <Live text="signed" />
                </p>
                <p className="mt-1 font-mono text-[0.75rem]/[18px] wrap-anywhere text-2">
                  <Live text="vkey" />
                </p>
              </li>
            </ul>
            <div className="border-t border-line px-5 py-4 tablet:px-6">
              <p className="text-label text-2">Name and key of the log, to check its signature with</p>
              <p className="mt-1 font-mono text-label wrap-anywhere">
                <Live text="vkey" />
              </p>
              <p className="mt-1 text-caption text-3">
                Keep a copy of it: a key that you have only just read here proves less than one you know from
                before.
              </p>
            </div>
          </Card>
        </div>
      </LivePart>
    </section>
  );
}
