import { networks } from '@tallystick/contract/networks';
import type { PayoutSheet, SheetItem } from '@tallystick/contract/operator/payouts';
import { ExternalLink } from 'lucide-react';
import { usd } from '../../domain/money/amount.ts';
import { InFours } from '../../domain/money/whole-address.tsx';
import { CopyButton } from '../../ui/actions/copy.tsx';
import { Qr } from '../../ui/facts/qr.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { sheetCoins } from '../facts/sheets.ts';
import { DrawerFacts } from '../queue/drawer-facts.tsx';

interface PayCodeProps {
  sheet: PayoutSheet;
  item: SheetItem;
  uri: string;
  onClose: () => void;
}

/** One payment for a wallet to scan: address, amount and tag in one code. */
export function PayCode({ sheet, item, uri, onClose }: PayCodeProps) {
  const coins = sheetCoins({ network: sheet.network, coins: item.coins });
  return (
    <Modal narrow onClose={onClose}>
      <ModalHead note={<span className="font-mono">{item.transactionid}</span>}>
        {`Pay ${item.investor.fullname}`}
      </ModalHead>
      <ModalBody>
        <div className="mx-auto mt-2 w-full max-w-72">
          <Qr isLarge text={uri} label={`QR code that pays ${coins} to ${item.withdrawaladdress}`} />
        </div>
        <DrawerFacts
          facts={[
            { name: 'Coins, exactly', value: coins },
            { name: 'Amount', value: usd(item.amount) },
            ...(item.tag === null ? [] : [{ name: 'Destination tag', value: item.tag }]),
            { name: 'Network', value: networks[sheet.network].name },
            {
              name: 'Address',
              value: (
                <span className="font-mono text-label font-normal">
                  <InFours text={item.withdrawaladdress} className="mr-2" />
                </span>
              ),
              isWide: true,
            },
          ]}
        />
        <div className="flex flex-wrap gap-2.5">
          <CopyButton text={item.coins} label="Copy coins" labelled />
          <CopyButton text={item.withdrawaladdress} label="Copy address" labelled />
          {item.tag !== null && <CopyButton text={item.tag} label="Copy tag" labelled />}
          <a
            href={uri}
            className="inline-flex min-h-11 items-center gap-2 rounded-control px-3.5 text-label font-semibold text-accent-text hover:bg-sunken"
          >
            <ExternalLink className="size-4" aria-hidden="true" />
            Open in a wallet
          </a>
        </div>
        <p className="text-label text-2">
          Send exactly these coins, once: less or more is not recognised, and sent twice it is paid twice.
        </p>
      </ModalBody>
    </Modal>
  );
}
