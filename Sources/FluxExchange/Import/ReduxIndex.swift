import FluxJSON
import FluxLog

/// The id of an action: a number of Redux DevTools, or a name that another tool gave it.
struct ReduxID: Hashable {
  /// The number; of a name, its place in the list of names as a negative number.
  fileprivate let code: Int64
}

/// The ids of a session: each number stands for itself, and names are counted.
struct ReduxNames {
  private var places: [BytewiseName: Int64] = [:]
  private var names: [String] = []

  mutating func id(_ name: String) -> ReduxID {
    if let number = Int64(name), number >= 0, String(number) == name {
      return ReduxID(code: number)
    }
    if let known = places[BytewiseName(name)] { return ReduxID(code: known) }
    names.append(name)
    let code = -Int64(names.count)
    places[BytewiseName(name)] = code
    return ReduxID(code: code)
  }

  func name(of id: ReduxID) -> String {
    id.code >= 0 ? String(id.code) : names[Int(-id.code) - 1]
  }

  /// The id as JSON: a number, or a string.
  func json(of id: ReduxID) -> JSON {
    id.code >= 0 ? JSON(integerLiteral: id.code) : JSON(stringLiteral: name(of: id))
  }
}

/// The actions of a session by id.
struct ReduxActions {
  /// The ids, in the order of the file.
  private(set) var order: [ReduxID] = []
  private var places: [Range<Int>] = []
  private var isAscending = true
  /// The indices by id, if the ids do not ascend.
  private var indices: [ReduxID: Int]?

  var count: Int { order.count }

  /// The ids in the order of the file, each once: of several actions with one id, the last one counts.
  var ids: [ReduxID] { order.indices.filter { index(of: order[$0]) == $0 }.map { order[$0] } }

  mutating func append(_ id: ReduxID, _ place: Range<Int>) {
    if let last = order.last, last.code >= id.code { isAscending = false }
    order.append(id)
    places.append(place)
  }

  /// Prepares for look-ups.
  mutating func finish() {
    guard !isAscending else { return }
    indices = Dictionary(zip(order, order.indices), uniquingKeysWith: { $1 })
  }

  /// Returns the index of an action; nil if there is none with that id.
  func index(of id: ReduxID) -> Int? {
    if let indices { return indices[id] }
    let index = order.partitioningIndex { $0.code >= id.code }
    return index < order.count && order[index] == id ? index : nil
  }

  /// Returns the place of an action; nil if there is none with that id.
  subscript(_ id: ReduxID) -> Range<Int>? { index(of: id).map { places[$0] } }
}
