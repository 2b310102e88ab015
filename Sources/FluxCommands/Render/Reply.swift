package import FluxInspector
import FluxJSON

/// A result of a command, with its text for people.
///
/// Either one value, or rows that are written while they are computed.
package struct Reply: Sendable {
  let result: (any CommandResult)?
  /// Remarks that are known before the reply is written.
  private(set) var notes: [String]
  /// The exit code of a batch of this one command; of rows, as far as it is known before they are written.
  private(set) var exitCode: Int32
  package let writeText: @Sendable (Work, inout TextOutput) throws -> ReplyEnd
  /// Writes the members behind `"result":`.
  package let writeJSON: @Sendable (Work, inout JSONOutput) throws -> ReplyEnd

  package init<Result: CommandResult>(
    _ result: Result, _ text: @escaping @Sendable (Result, inout TextOutput) throws -> Void
  ) {
    self.result = result
    notes = result.notes.map(\.line)
    exitCode = result.exitCode
    writeText = { _, output in
      try text(result, &output)
      return ReplyEnd(exitCode: result.exitCode)
    }
    writeJSON = { _, output in
      try output.value(result)
      return ReplyEnd(exitCode: result.exitCode)
    }
  }

  /// Rows, the text of each row, and the text behind the rows.
  package init<Header, Row, Trailer>(
    _ rows: Rows<Header, Row, Trailer>,
    row: @escaping @Sendable (_ row: Row, _ index: Int, inout TextOutput) throws -> Void,
    end: @escaping @Sendable (_ trailer: Trailer, _ count: Int, inout TextOutput) throws -> Void = {
      _, _, _ in
    }
  ) {
    result = nil
    notes = []
    exitCode = 0
    writeText = { work, output in
      var count = 0
      let result = try rows.run(work) {
        try row($0, count, &output)
        count += 1
      }
      try end(result.trailer, count, &output)
      return ReplyEnd(exitCode: result.exitCode, notes: result.notes.map(\.line))
    }
    writeJSON = { work, output in try output.rows(rows, work) }
  }

  /// The same reply with other notes before its own.
  func adding(_ notes: [String], exitCode: Int32? = nil) -> Reply {
    var reply = self
    reply.notes = notes + self.notes
    reply.exitCode = exitCode ?? self.exitCode
    return reply
  }
}

/// The facts about a reply that are known once it was written.
package struct ReplyEnd {
  package var exitCode: Int32
  var notes: [String] = []
  /// The error that ended the rows; the document is well-formed all the same.
  package var error: (any Error)?
}

extension JSONOutput {
  /// Writes an object with rows.
  ///
  /// A failure after a piece of the output was passed on closes the rows and the object, and is returned; one before
  /// that is thrown.
  mutating func rows<Header, Row, Trailer>(
    _ rows: Rows<Header, Row, Trailer>, _ work: Work
  ) throws -> ReplyEnd {
    try raw("{")
    let hasHeader = try members(of: rows.header)
    try raw("\(hasHeader ? "," : "")\"\(rows.name)\":[")
    var isFirst = true
    do {
      let end = try rows.run(work) { row in
        try value(row, separator: isFirst ? "" : ",")
        isFirst = false
      }
      try raw("]")
      _ = try members(of: end.trailer, separator: ",")
      try raw("}")
      return ReplyEnd(exitCode: end.exitCode, notes: end.notes.map(\.line))
    } catch let failure as SinkFailure {
      throw failure
    } catch {
      guard sink.hasBegun else { throw error }
      try raw("]}")
      return ReplyEnd(exitCode: 0, error: error)
    }
  }
}
