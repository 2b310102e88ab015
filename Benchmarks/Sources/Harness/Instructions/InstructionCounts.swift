/// How many instructions paths take, as they are kept in a file.
///
/// The first line tells what the counts are of, the others have a name and a count, with a tab between them.
package struct InstructionCounts: Equatable, Sendable {
  /// A line of the file that is none.
  package struct Malformed: Error, CustomStringConvertible {
    let line: Int

    package var description: String {
      "line \(line) of the counts is not a name, a tab and a number; count anew"
    }
  }

  /// What the counts are of: another processor or compiler has others.
  package var machine: String
  package var paths: [(name: String, count: Int)]

  package init(machine: String, paths: [(name: String, count: Int)]) {
    self.machine = machine
    self.paths = paths
  }

  package init(text: String) throws(Malformed) {
    var lines = text.split(separator: "\n")[...]
    machine = String(lines.popFirst() ?? "")
    paths = []
    for (index, line) in lines.enumerated() {
      let parts = line.split(separator: "\t")
      guard parts.count == 2, let count = Int(parts[1]) else { throw Malformed(line: index + 2) }
      paths.append((String(parts[0]), count))
    }
  }

  /// The text of the file.
  package var text: String {
    "\(machine)\n" + paths.map { "\($0.name)\t\($0.count)\n" }.joined()
  }

  package static func == (left: Self, right: Self) -> Bool { left.text == right.text }
}

extension InstructionCounts {
  /// A line for each path.
  package var table: Table {
    var table = Table([("path", .left), ("instructions", .right)])
    for path in paths { table.add([path.name, Readable.grouped(path.count)]) }
    return table
  }
}
