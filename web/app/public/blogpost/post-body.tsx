import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Block, Inline } from '../../../posts/markdown.ts';
import { TextLink } from '../../ui/actions/links.tsx';

/** A post never changes while it is read, so a piece's place is its name. */
const keyed = <T,>(pieces: readonly T[], draw: (piece: T, key: string) => ReactNode) =>
  pieces.map((piece, index) => draw(piece, String(index)));

/** Draws what `posts/markdown.ts` has read. */
export function PostBody({ blocks }: { blocks: readonly Block[] }) {
  return keyed(blocks, (block, key) => <PostBlock key={key} block={block} />);
}

function PostBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = block.level === 2 ? 'h2' : 'h3';
      return (
        <Heading>
          <Words of={block.content} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Words of={block.content} />
        </p>
      );
    case 'note':
      return <Note content={block.content} />;
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List>
          {keyed(block.items, (item, key) => (
            <li key={key}>
              <Words of={item} />
            </li>
          ))}
        </List>
      );
    }
    case 'table':
      return <Figures head={block.head} rows={block.rows} />;
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
  }
}

function Words({ of }: { of: readonly Inline[] }): ReactNode {
  return keyed(of, (piece, key) => {
    if (typeof piece === 'string') return piece;
    if (piece.kind === 'code') return <code key={key}>{piece.text}</code>;
    const words = <Words of={piece.content} />;
    if (piece.kind === 'strong') return <strong key={key}>{words}</strong>;
    if (piece.kind === 'em') return <em key={key}>{words}</em>;
    return (
      <TextLink key={key} to={piece.to}>
        {words}
      </TextLink>
    );
  });
}

function Note({ content }: { content: readonly Inline[] }) {
  return (
    <div className="mt-7 grid grid-cols-[20px_1fr] gap-3 rounded-code bg-sunken px-5 py-[18px] inset-ring inset-ring-line">
      <TriangleAlert className="mt-[3px] size-5 text-1" strokeWidth={1.75} aria-hidden="true" />
      <p className="mt-0! text-body/[25px]">
        <Words of={content} />
      </p>
    </div>
  );
}

/** Figures in a card: words at the left, everything after them at the right. */
function Figures({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <div className="mt-6 rounded-card bg-surface px-5 pt-4 pb-2 inset-ring inset-ring-line tablet:px-7 tablet:pt-5">
      <table className="w-full text-label/5 tabular-nums tablet:text-body">
        <thead>
          <tr>
            {keyed(head, (cell, key) => {
              const Cell = cell.length === 0 ? 'td' : 'th';
              return (
                <Cell
                  key={key}
                  scope={cell.length === 0 ? undefined : 'col'}
                  className="py-3 text-left font-semibold text-1 not-first:pl-3 not-first:text-right"
                >
                  <Words of={cell} />
                </Cell>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {keyed(rows, (row, key) => (
            <tr key={key} className="border-t border-line">
              {keyed(row, (cell, at) => (
                <td key={at} className="py-3 not-first:pl-3 not-first:text-right not-first:text-1">
                  <Words of={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
