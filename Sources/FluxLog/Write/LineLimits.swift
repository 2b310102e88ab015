package import FluxJSON

extension JSON {
  /// The greatest depth of an action or a state, so that it fits into a line of a log, also in a patch, and into a message.
  package static let maximumDepthInLine = maximumDepth - 8

  /// The greatest depth of a state that a log can have, as a line holds it: `{"states":{store: state}}`.
  ///
  /// Patches could lead to deeper states. Nothing that holds the states of all stores could be written for these.
  package static let maximumStateDepth = maximumDepth - 2

  /// `true` if the value does not nest too deep for a line of a log.
  var fitsIntoLine: Bool {
    nodeCount <= Self.maximumDepthInLine || depth <= Self.maximumDepthInLine
  }
}

extension EncodingFailure {
  /// The failure of a value that nests too deep; `store` is `nil` for an action.
  static func tooDeep(_ store: String?) -> EncodingFailure {
    EncodingFailure(
      store: store,
      why:
        "more than \(JSON.maximumDepthInLine) arrays and objects inside each other, which a line of a log cannot have"
    )
  }

  /// Throws if the text of an action nests too deep for a line of a log.
  static func checkDepth(ofAction text: [UInt8]) throws(EncodingFailure) {
    // Parsing the text would take as long as encoding it, and few actions have as many brackets.
    guard text.count > 2 * JSON.maximumDepthInLine,
      text.count(where: { $0 | 0x20 == UInt8(ascii: "{") }) > JSON.maximumDepthInLine
    else { return }
    let action = try wrapping(nil) { try JSON.parse(text) }
    guard action.fitsIntoLine else { throw tooDeep(nil) }
  }
}

extension LogHeader {
  /// Throws if readers would refuse the header in a line of the log at a path.
  func checkFitsIntoLine(of path: String) throws(LogError) {
    var why: String?
    if first > Int64.max {
      why = "the first step has the number \(first), and the largest is \(Int64.max)"
    } else if let created, LogInstant(created.description) == nil {
      why = "a log cannot begin at \(created)"
    } else if let name = circumstances.first(where: { !$0.value.fitsIntoLine })?.key {
      why = "the circumstance \(name) has \(EncodingFailure.tooDeep(nil).why)"
    }
    if let why { throw LogError(path: path, reason: .unusableOptions(why: why)) }
    if let store = stores.first(where: { $0.initial?.fitsIntoLine == false }) {
      throw EncodingFailure.tooDeep(store.name).ofStep(max(1, first) - 1, in: path)
    }
  }
}
