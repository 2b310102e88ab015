/// A block of the index: in memory, or in the sidecar until it is needed.
enum BlockSlot: Sendable {
  case loaded(IndexBlock)
  case stored(StoredBlock)

  func block() throws(LogError) -> IndexBlock {
    switch self {
    case .loaded(let block): block
    case .stored(let stored): try stored.block()
    }
  }

  /// The types of the block's steps; of a block in the sidecar, nothing else is read for them.
  func types() throws(LogError) -> NumberColumn {
    switch self {
    case .loaded(let block): block.types
    case .stored(let stored): try stored.types()
    }
  }

  /// The shapes of the block's steps; of a block in the sidecar, nothing else is read for them.
  func shapes() throws(LogError) -> NumberColumn {
    switch self {
    case .loaded(let block): block.shapes
    case .stored(let stored): try stored.shapes()
    }
  }
}
