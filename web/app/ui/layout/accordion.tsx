import { Minus, Plus } from 'lucide-react';
import { useId, useState } from 'react';

interface AccordionItem {
  question: string;
  answer: string;
}

/** One open at a time, the first to begin with. Folded texts stay in the page; without scripts all are open. */
export function Accordion({ items }: { items: readonly AccordionItem[] }) {
  const [open, setOpen] = useState<number | null>(0);
  const id = useId();
  return (
    <div className="border-b border-line">
      {items.map(({ question, answer }, index) => {
        const isOpen = open === index;
        const Icon = isOpen ? Minus : Plus;
        return (
          <div key={question} className="border-t border-line">
            <h3>
              <button
                type="button"
                id={`${id}-${index}-question`}
                aria-expanded={isOpen}
                aria-controls={`${id}-${index}`}
                onClick={() => setOpen(isOpen ? null : index)}
                className="flex w-full items-center justify-between gap-6 py-[18px] text-left text-[18px]/[26px] font-semibold tracking-[-0.015em] tablet:py-[22px] tablet:text-[19px]/[26px]"
              >
                {question}
                <Icon className="size-5 shrink-0 text-3" strokeWidth={1.75} aria-hidden="true" />
              </button>
            </h3>
            <section
              id={`${id}-${index}`}
              aria-labelledby={`${id}-${index}-question`}
              className={`grid transition-[grid-template-rows,visibility] duration-200 ease-out noscript:visible noscript:grid-rows-[1fr] ${isOpen ? 'grid-rows-[1fr]' : 'invisible grid-rows-[0fr]'}`}
            >
              <div className="overflow-hidden">
                <p className="pb-7 text-body/[25px] text-2 tablet:pr-16 tablet:text-large/[27px]">{answer}</p>
              </div>
            </section>
          </div>
        );
      })}
    </div>
  );
}
