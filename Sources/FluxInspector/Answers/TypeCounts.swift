import FluxLog

/// How often each type of action occurs, the most frequent first.
struct TypeCounts: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    let type: String
    let count: Int
  }

  let entries: [Entry]

  init(of log: LogFile) throws(LogError) {
    entries = try log.typeCounts().map { Entry(type: $0.type, count: $0.count) }
      .sorted { ($1.count, BytewiseName($0.type)) < ($0.count, BytewiseName($1.type)) }
  }
}

extension JSONWriter {
  /// Writes `[{"type","count"}]`.
  mutating func types(_ counts: TypeCounts) {
    beginArray()
    for entry in counts.entries {
      beginObject()
      member("type", entry.type)
      name("count")
      int(entry.count)
      endObject()
    }
    endArray()
  }
}

extension TextOutput {
  /// Writes a line for each type, the counts below each other.
  mutating func types(_ counts: TypeCounts) throws {
    let width = counts.entries.map { String($0.count).count }.max() ?? 0
    for entry in counts.entries {
      let count = String(entry.count)
      write(String(repeating: " ", count: width - count.count) + count, .number)
      try line(" \(entry.type)", .action)
    }
  }
}
