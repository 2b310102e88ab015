extension RegularExpression {
  /// Returns `true` if the pattern matches the whole text.
  ///
  /// The match calls `check` at intervals. An error that it throws ends the match.
  func matches(_ text: String, check: () throws -> Void = {}) rethrows -> Bool {
    try run(over: text, anywhere: false, check: check)
  }

  /// Returns `true` if the pattern matches any part of the text.
  ///
  /// The search calls `check` at intervals. An error that it throws ends the search.
  func isFound(in text: String, check: () throws -> Void = {}) rethrows -> Bool {
    try run(over: text, anywhere: true, check: check)
  }

  private func run(
    over text: String, anywhere: Bool, check: () throws -> Void
  ) rethrows -> Bool {
    var current = Threads(count: program.count)
    var next = Threads(count: program.count)
    var steps = 0
    var isAtStart = true
    var scalars = text.unicodeScalars.makeIterator()
    var upcoming = scalars.next()
    add(0, to: &current, isAtStart: true, isAtEnd: upcoming == nil)
    while let scalar = upcoming {
      if anywhere {
        add(0, to: &current, isAtStart: isAtStart, isAtEnd: false)
        if current.accepts { return true }
      }
      upcoming = scalars.next()
      isAtStart = false
      next.removeAll()
      for thread in current.list {
        if case .consume(let atom) = program[thread], atom.contains(scalar) {
          add(thread + 1, to: &next, isAtStart: false, isAtEnd: upcoming == nil)
        }
      }
      swap(&current, &next)
      steps += current.list.count + 1
      if steps > 4_096 {
        steps = 0
        try check()
      }
      if !anywhere && current.list.isEmpty { return false }
    }
    // A new thread here can only match the empty text at the end.
    if anywhere { add(0, to: &current, isAtStart: isAtStart, isAtEnd: true) }
    return current.accepts
  }

  /// Adds a thread, and every thread it leads to without consuming a scalar.
  private func add(_ address: Int, to threads: inout Threads, isAtStart: Bool, isAtEnd: Bool) {
    var pending = [address]
    while let address = pending.popLast() {
      guard threads.insert(address) else { continue }
      switch program[address] {
      case .consume: break
      case .accept: threads.accepts = true
      case .start: if isAtStart { pending.append(address + 1) }
      case .end: if isAtEnd { pending.append(address + 1) }
      case .jump(let target): pending.append(target)
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      }
    }
  }

  /// The set of addresses of the running threads.
  ///
  /// Insertion takes constant time and ignores duplicates.
  private struct Threads {
    private(set) var list: [Int] = []
    private var stamps: [Int]
    private var stamp = 1
    var accepts = false

    init(count: Int) {
      stamps = Array(repeating: 0, count: count)
    }

    mutating func insert(_ address: Int) -> Bool {
      guard stamps[address] != stamp else { return false }
      stamps[address] = stamp
      list.append(address)
      return true
    }

    mutating func removeAll() {
      list.removeAll(keepingCapacity: true)
      stamp += 1
      accepts = false
    }
  }
}
