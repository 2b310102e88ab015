extension Timeline {
  /// The step at a position as one line of JSON, as it is in the file.
  ///
  /// - Parameters:
  ///   - position: The step's position.
  ///   - withModel: Whether the whole model after the step is added as `state`; then the sum, which
  ///     would be wrong, is left out. Stores that are not known there are not in `state`, but listed
  ///     in a member `unknown`.
  /// - Returns: The line without its newline.
  /// - Throws: ``LogError`` where there is no such step, or where it cannot be read.
  public func line(at position: Int, withModel: Bool = false) throws(LogError) -> [UInt8] {
    let text = try log.lineText(at: position)
    guard withModel else { return text }
    let model = try model(at: position)
    let line = try json(text, at: position)
    var writer = JSONWriter()
    writer.beginObject()
    for member in line.members where member.name != "sum" && member.name != "state" {
      writer.name(member.name)
      writer.raw(member.value)
    }
    writer.name("state")
    writer.raw(model.json)
    if !model.unknownStores.isEmpty {
      writer.name("unknown")
      writer.beginArray()
      for store in model.unknownStores { writer.string(store) }
      writer.endArray()
    }
    writer.endObject()
    return writer.bytes
  }

  /// Gives the steps of a range as lines of JSON, one after the other.
  ///
  /// - Parameters:
  ///   - range: Positions; ``start`` is no step and is passed over.
  ///   - types: Which actions are given; nil for all.
  ///   - withModel: As in ``line(at:withModel:)``.
  ///   - findings: With models, called before a line with what is wrong with the changes of its step:
  ///     that shows only where they are applied.
  ///   - body: Called with each line, without its newline; what it throws ends the listing.
  /// - Throws: ``LogError`` where a step cannot be read, and what `body` throws.
  public func forEachLine(
    in range: Range<Int>, types: Glob? = nil, withModel: Bool = false,
    findings: ([Finding]) throws -> Void = { _ in }, _ body: ([UInt8]) throws -> Void
  ) throws {
    let range = range.clamped(to: 0..<max(0, log.count))
    var position = range.lowerBound
    while position < range.upperBound {
      if let types {
        let rest = position..<range.upperBound
        guard let next = try log.firstPosition(in: rest, typeWhere: types.matches) else { return }
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

  /// Reads the line of the step at a position as one value.
  func json(at position: Int) throws(LogError) -> JSON {
    try json(try log.lineText(at: position), at: position)
  }

  private func json(_ text: [UInt8], at position: Int) throws(LogError) -> JSON {
    do throws(LineFault) {
      return try JSON(line: text)
    } catch {
      let finding = Finding(
        problem: error.problem, line: try log.lineNumber(at: position) ?? 0,
        step: log.number(at: position), byte: error.byte)
      throw LogError(path: log.path, reason: .damaged(finding))
    }
  }
}
