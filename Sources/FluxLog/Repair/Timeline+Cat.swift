import FluxJSON

extension Timeline {
  /// Returns the step at a position as a line of JSON, as it is in the file.
  ///
  /// - Parameters:
  ///   - position: The position of the step.
  ///   - withModel: If `true`, adds the model after the step as `state`, and leaves out the sum,
  ///     which would be wrong. Stores whose state is unknown are listed in a member `unknown`
  ///     instead.
  /// - Returns: The line without its newline.
  /// - Throws: ``LogError`` if there is no such step, or if it cannot be read.
  public func line(at position: Int, withModel: Bool = false) throws(LogError) -> [UInt8] {
    let text = try log.lineText(at: position)
    guard withModel else { return text }
    let model = try model(at: position)
    let line = try log.json(text, at: position)
    var writer = JSONWriter()
    writer.beginObject()
    for member in line.members where member.name != "sum" && member.name != "state" {
      writer.member(member.name, member.value)
    }
    writer.member("state", model.json)
    if !model.unknownStores.isEmpty {
      writer.name("unknown")
      writer.strings(model.unknownStores)
    }
    writer.endObject()
    return writer.bytes
  }

  /// Calls `body` with the lines of the steps in a range.
  ///
  /// - Parameters:
  ///   - range: Positions; ``start`` is not a step and is skipped.
  ///   - types: The action types to include; `nil` for all.
  ///   - withModel: As in ``line(at:withModel:)``.
  ///   - findings: With models, called before each line with the problems of the step's changes,
  ///     which show only when the changes are applied.
  ///   - body: Called with each line, without its newline. An error ends the iteration.
  /// - Throws: ``LogError`` if a step cannot be read, and any error of `findings` and `body`.
  public func forEachLine(
    in range: Range<Int>, types: Glob? = nil, withModel: Bool = false,
    findings: ([Finding]) throws -> Void = { _ in }, _ body: ([UInt8]) throws -> Void
  ) throws {
    let range = range.clamped(to: 0..<max(0, log.count))
    var position = range.lowerBound
    while position < range.upperBound {
      if let types {
        let rest = position..<range.upperBound
        guard let next = log.position(in: rest, typeWhere: types.matches) else { return }
        position = next
      }
      if withModel {
        let found = try changeFindings(at: position)
        if !found.isEmpty { try findings(found) }
      }
      try body(try line(at: position, withModel: withModel))
      position += 1
    }
  }
}

extension LogFile {
  /// Parses the text of the line of the step at a position.
  func json(_ text: [UInt8], at position: Int) throws(LogError) -> JSON {
    do throws(LineFault) {
      return try JSON(line: text)
    } catch {
      throw damage(error, at: position)
    }
  }
}
