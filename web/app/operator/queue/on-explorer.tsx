import { Copyable } from '../../ui/actions/copy.tsx';

interface OnExplorerProps {
  chaintransactionid: string;
  chainoutput: number | null;
  /** Null on a chain that no explorer knows. */
  explorer: string | null;
}

/** Under which id a payment is found, and where anyone can look it up. */
export function OnExplorer({ chaintransactionid, chainoutput, explorer }: OnExplorerProps) {
  return (
    <div className="text-label">
      <p className="text-caption text-3">Transaction ID on the network</p>
      <Copyable what="the transaction ID">{chaintransactionid}</Copyable>
      <p className="mt-1 flex flex-wrap gap-x-4 text-2">
        {chainoutput !== null && <span>Output {chainoutput}</span>}
        {explorer && (
          <a className="textlink" href={explorer} target="_blank" rel="noreferrer">
            Look it up<span className="sr-only"> in a block explorer, in a new tab</span>
          </a>
        )}
      </p>
    </div>
  );
}
