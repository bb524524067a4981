type NodeTrouble =
  /** Nobody answers there, or not in time. */
  | 'away'
  /** It asks for fewer calls. */
  | 'limited'
  /** It answers that it will not, or cannot. */
  | 'refused'
  /** It answers something that cannot be. */
  | 'nonsense'
  /** It follows another chain than ours. */
  | 'wrong-chain'
  /** It does not have the block: pruned, or not there yet. */
  | 'no-block'
  /** Its chain changed while it was read: ask again. */
  | 'moved';

/** Why a node could not be read, in words for an operator. Nothing of the node's address but its host is in them. */
export class NodeError extends Error {
  readonly trouble: NodeTrouble;
  /** The node's own number for it, where it gave one. */
  readonly code: number | null;

  constructor(trouble: NodeTrouble, message: string, code: number | null = null) {
    super(message);
    this.name = 'NodeError';
    this.trouble = trouble;
    this.code = code;
  }
}
