/// A block of the index, either in memory or still in the sidecar.
enum BlockSlot: Sendable {
  case loaded(IndexBlock)
  case stored(StoredBlock)

  func block() throws(LogError) -> IndexBlock {
    switch self {
    case .loaded(let block): block
    case .stored(let stored): try stored.block()
    }
  }

  /// Returns the types of the block's steps; reads only those from the sidecar.
  func types() throws(LogError) -> NumberColumn {
    switch self {
    case .loaded(let block): block.types
    case .stored(let stored): try stored.types()
    }
  }

  /// Returns the shapes of the block's steps; reads only those from the sidecar.
  func shapes() throws(LogError) -> NumberColumn {
    switch self {
    case .loaded(let block): block.shapes
    case .stored(let stored): try stored.shapes()
    }
  }
}
