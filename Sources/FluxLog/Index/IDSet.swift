/// A set of small numbers from a column.
struct IDSet: Sendable {
  private var members: [Bool] = []
  private(set) var count = 0
  /// The member of a set that has exactly one.
  private(set) var only: UInt32?

  init(_ ids: some Sequence<UInt32>) {
    for id in ids { insert(id) }
  }

  var isEmpty: Bool { count == 0 }

  private mutating func insert(_ id: UInt32) {
    let place = Int(id)
    while members.count <= place { members.append(false) }
    guard !members[place] else { return }
    members[place] = true
    count += 1
    only = count == 1 ? id : nil
  }

  func contains(_ id: UInt32) -> Bool {
    Int(id) < members.count && members[Int(id)]
  }
}
