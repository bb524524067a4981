import { Minus, Plus } from 'lucide-react';
import { useId } from 'react';

interface AccordionItem {
  question: string;
  answer: string;
}

const iconClass = 'size-5 shrink-0 text-3';

/**
 * One open at a time, the first to begin with; `native/accordion.ts` sees to it. Folded texts stay in the page; without
 * scripts all are open.
 */
export function Accordion({ items }: { items: readonly AccordionItem[] }) {
  const id = useId();
  return (
    <div data-accordion className="border-b border-line">
      {items.map(({ question, answer }, index) => (
        <div key={question} className="border-t border-line">
          <h3 className="peer">
            <button
              type="button"
              id={`${id}-${index}-question`}
              aria-expanded={index === 0}
              aria-controls={`${id}-${index}`}
              className="group flex w-full items-center justify-between gap-6 py-[18px] text-left text-[18px]/[26px] font-semibold tracking-[-0.015em] tablet:py-[22px] tablet:text-[19px]/[26px]"
            >
              {question}
              <Plus
                className={`${iconClass} group-aria-expanded:hidden`}
                strokeWidth={1.75}
                aria-hidden="true"
              />
              <Minus
                className={`${iconClass} hidden group-aria-expanded:block`}
                strokeWidth={1.75}
                aria-hidden="true"
              />
            </button>
          </h3>
          <section
            id={`${id}-${index}`}
            aria-labelledby={`${id}-${index}-question`}
            className="invisible grid grid-rows-[0fr] transition-[grid-template-rows,visibility] duration-200 ease-out peer-has-aria-expanded:visible peer-has-aria-expanded:grid-rows-[1fr] noscript:visible noscript:grid-rows-[1fr]"
          >
            <div className="overflow-hidden">
              <p className="pb-7 text-body/[25px] text-2 tablet:pr-16 tablet:text-large/[27px]">{answer}</p>
            </div>
          </section>
        </div>
      ))}
    </div>
  );
}
