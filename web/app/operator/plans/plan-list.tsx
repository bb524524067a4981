import { type OfferedPlan, switchplan } from '@tallystick/contract/operator/plans';
import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { counted } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { dollarsText } from '../../domain/plans/plan-offer.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Cell, type Column, givesWay, Row, Small, takesOver } from '../../ui/lists/table.tsx';
import { SiteSwitch } from '../forms/site-switch.tsx';
import { ConsoleTable, Facts } from '../lists/console-table.tsx';

const columns: readonly Column[] = [
  { name: 'Plan' },
  { name: 'Range', isNumber: true, gives: 'tight' },
  { name: 'Days', isNumber: true, gives: 'narrow' },
  { name: 'ROI', isNumber: true },
  { name: 'Version', isNumber: true, gives: 'tight' },
  { name: 'Open investments', isNumber: true, gives: 'tight' },
  { name: 'Open amount', isNumber: true },
  { name: 'On the site', className: '@wide/table:pl-7' },
  { name: 'Action', isNumber: true },
];

interface PlanListProps {
  /** Undefined while they are on their way. */
  plans: readonly OfferedPlan[] | undefined;
  editing: string;
  onEdit: (id: string) => void;
  onMove: (plan: OfferedPlan, to: number) => void;
}

/** After the form has gone the focus comes back to the button that opened it. */
export const editButtonId = (id: string) => `edit-plan-${id}`;

/** Short, for a list; the card has the sentence. */
const leavingText = ({ exit }: OfferedPlan) =>
  exit ? `Left early from day ${exit.fromday}, keeps ${exit.keeps}%, fee ${exit.fee}%` : 'Not offered';

const rangeText = ({ from, to }: OfferedPlan) => `${dollarsText(from)} to ${dollarsText(to)}`;

export function PlanTable({ plans, editing, onEdit, onMove }: PlanListProps) {
  const [dragged, setDragged] = useState<OfferedPlan | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  return (
    <ConsoleTable caption="Plans in the order of the site" columns={columns}>
      {plans?.map((plan, index) => (
        <Row
          key={plan._id}
          className={`border-line not-last:border-b ${plan._id === editing ? 'bg-accent-tint!' : ''} ${over === plan._id && dragged?._id !== plan._id ? 'outline-2 -outline-offset-2 outline-accent-text' : ''}`}
          onDragOver={(event) => {
            if (!dragged) return;
            event.preventDefault();
            setOver(plan._id);
          }}
          onDrop={() => {
            if (dragged) onMove(dragged, index);
            end();
          }}
        >
          <Cell isHead className="@wide/table:whitespace-nowrap">
            <span className="flex items-center gap-1.5">
              <Grip plan={plan} onBegin={() => setDragged(plan)} onEnd={end} />
              <MoveButtons plan={plan} at={index} count={plans.length} onMove={onMove} />
              <span className="ml-1.5">
                <b className="font-semibold">{plan.planname}</b>
                <Small className={takesOver.tight}>{rangeText(plan)}</Small>
                <Small className={takesOver.tight}>Version {plan.version}</Small>
                {plan.exit && <Small>{leavingText(plan)}</Small>}
                {plan.reinvestable && <Small>May be invested in again at maturity</Small>}
              </span>
            </span>
          </Cell>
          <TermCells plan={plan} />
          <Cell className="@wide/table:pl-7">
            <SiteSwitch call={switchplan} of={plan} name={plan.planname} />
          </Cell>
          <Cell className="text-right">
            <EditButton plan={plan} isEditing={plan._id === editing} onEdit={onEdit} />
          </Cell>
        </Row>
      ))}
    </ConsoleTable>
  );
}

/** For the mouse; the buttons beside it do the same for everyone. */
function Grip({ plan, onBegin, onEnd }: { plan: OfferedPlan; onBegin: () => void; onEnd: () => void }) {
  return (
    <span
      aria-hidden="true"
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', plan.planname);
        onBegin();
      }}
      onDragEnd={onEnd}
      className={`grid size-7 cursor-grab place-items-center rounded-small text-3 hover:text-1 ${givesWay.tight}`}
    >
      <GripVertical className="size-4" />
    </span>
  );
}

function TermCells({ plan }: { plan: OfferedPlan }) {
  return (
    <>
      <Cell isNumber gives="tight" className="whitespace-nowrap">
        {rangeText(plan)}
      </Cell>
      <Cell isNumber gives="narrow">
        {plan.duration}
      </Cell>
      <Cell isNumber>
        {plan.roi}%<Small className={takesOver.narrow}>{counted(plan.duration, 'day')}</Small>
      </Cell>
      <Cell isNumber gives="tight">
        {plan.version}
      </Cell>
      <Cell isNumber gives="tight">
        {plan.openinvestments.toLocaleString('en-US')}
      </Cell>
      <Cell isNumber>
        {usd(plan.openamount)}
        <Small className={takesOver.tight}>{counted(plan.openinvestments, 'investment')}</Small>
      </Cell>
    </>
  );
}

export function PlanBlocks({ plans, editing, onEdit, onMove }: PlanListProps) {
  return (
    <ul>
      {plans?.map((plan, index) => (
        <li
          key={plan._id}
          className={`grid gap-3.5 border-line px-5 py-4 not-first:border-t ${plan._id === editing ? 'bg-accent-tint' : ''}`}
        >
          <div className="flex items-center justify-between gap-3">
            <b className="min-w-0 text-large font-semibold wrap-anywhere">{plan.planname}</b>
            <SiteSwitch call={switchplan} of={plan} name={plan.planname} />
          </div>
          <Facts
            facts={[
              { name: 'Range', value: rangeText(plan), isWide: true },
              { name: 'Days', value: plan.duration },
              { name: 'ROI', value: `${plan.roi}%` },
              { name: 'Version', value: plan.version },
              { name: 'Open investments', value: plan.openinvestments.toLocaleString('en-US') },
              { name: 'Open amount', value: usd(plan.openamount) },
              { name: 'Leaving early', value: leavingText(plan), isWide: true },
              { name: 'Investing again', value: plan.reinvestable ? 'Offered' : 'Not offered' },
            ]}
          />
          <div className="flex gap-2.5 *:last:flex-1">
            <MoveButtons plan={plan} at={index} count={plans.length} onMove={onMove} isLarge />
            <EditButton plan={plan} isEditing={plan._id === editing} onEdit={onEdit} />
          </div>
        </li>
      ))}
    </ul>
  );
}

interface EditButtonProps {
  plan: OfferedPlan;
  isEditing: boolean;
  onEdit: (id: string) => void;
}

function EditButton({ plan, isEditing, onEdit }: EditButtonProps) {
  return (
    <Button
      id={editButtonId(plan._id)}
      look={isEditing ? 'quiet' : 'secondary'}
      size="small"
      aria-pressed={isEditing}
      onClick={() => onEdit(plan._id)}
    >
      {isEditing ? 'Editing' : 'New version'}
      <span className="sr-only"> of {plan.planname}</span>
    </Button>
  );
}

interface MoveButtonsProps {
  plan: OfferedPlan;
  /** Its place now, from nought. */
  at: number;
  count: number;
  onMove: (plan: OfferedPlan, to: number) => void;
  /** For fingers. */
  isLarge?: boolean;
}

/** One place up or down. The row takes its buttons along, and whoever presses with the keyboard goes with them. */
function MoveButtons({ plan, at, count, onMove, isLarge = false }: MoveButtonsProps) {
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  const pressed = useRef<'up' | 'down' | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows when the place has changed
  useEffect(() => {
    if (!pressed.current) return;
    const [same, other] = pressed.current === 'up' ? [up, down] : [down, up];
    (same.current?.disabled ? other : same).current?.focus();
    pressed.current = null;
  }, [at]);

  const press = (way: 'up' | 'down') => {
    pressed.current = way;
    onMove(plan, way === 'up' ? at - 1 : at + 1);
  };
  const shape = isLarge ? 'size-11 inset-ring inset-ring-line-strong bg-surface' : 'h-6 w-7';
  const className = `grid ${shape} place-items-center rounded-small text-2 hover:bg-accent-tint hover:text-1 disabled:cursor-not-allowed disabled:bg-transparent disabled:text-3 disabled:opacity-40`;
  return (
    <span className={isLarge ? 'flex flex-none! gap-2' : 'grid'}>
      {[
        { way: 'up', Icon: ChevronUp, ref: up, isLast: at === 0 } as const,
        { way: 'down', Icon: ChevronDown, ref: down, isLast: at === count - 1 } as const,
      ].map(({ way, Icon, ref, isLast }) => (
        <button
          key={way}
          ref={ref}
          type="button"
          disabled={isLast}
          aria-label={`Move ${plan.planname} ${way}`}
          onClick={() => press(way)}
          className={className}
        >
          <Icon className="size-4" aria-hidden="true" />
        </button>
      ))}
    </span>
  );
}
