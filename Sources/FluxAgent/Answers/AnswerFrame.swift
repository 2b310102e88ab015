import FluxJSON

/// The members that every answer may have in addition to its own.
struct Extras: Sendable {
  /// The parts that the answer leaves out, and how to get them.
  var left: [String] = []
  /// The cursor of the next page.
  var cursor: String?
  /// Remarks about the answer.
  var notes: [String] = []

  static let members: [Shape.Member] = [
    Shape.Member(
      name: "cursor", shape: .text, isRequired: false,
      about: "Present if there is more: pass it to the same call"),
    Shape.Member(
      name: "left", shape: .array(.text), isRequired: false,
      about: "What the answer leaves out because of its budget, and how to get it"),
    Shape.Member(
      name: "notes", shape: .array(.text), isRequired: false,
      about: "Remarks about the answer"),
  ]
}

/// Puts an answer and its extras into one object that keeps the budget.
struct AnswerFrame {
  /// The least that an answer may have: room for its names and for what it leaves out.
  static let smallestBudget = 2000
  /// The bytes for cursor, remarks and what was left out.
  private var reserve: Int { min(900, budget / 4) }

  /// The largest number of bytes of an answer as text.
  let budget: Int

  /// The bytes for the members of an answer.
  var room: Int { budget - reserve }

  /// Returns the object of an answer and the other members, whose text has at most ``budget`` bytes.
  ///
  /// Each member has its type in the shape, however little fits.
  func object(_ answer: JSON, as shape: Shape, _ extras: Extras) -> JSON {
    var extras = extras
    extras.notes = extras.notes.map { $0.cut(toBytes: 300) }
    var whole = Self.joined(answer, extras)
    guard WireText.size(of: whole) > budget else { return whole }
    // Escapes make some texts longer than they are in the log, so a second try has less room.
    var room = room
    for _ in 0..<6 {
      var fold = Fold()
      let folded = fold.fold(answer, as: shape, at: nil, to: room)
      var shown = extras
      if fold.count > 0 {
        shown.left.append(
          "\(fold.sentence("value")), because an answer has at most \(budget) bytes; state with a path "
            + "has a value whole, and fewer steps or one store make an answer shorter")
      }
      shown.notes = Array(shown.notes.prefix(2))
      whole = Self.joined(folded, shown)
      guard WireText.size(of: whole) > budget else { return whole }
      room = room * 2 / 3
    }
    return whole
  }

  private static func joined(_ answer: JSON, _ extras: Extras) -> JSON {
    var members = answer.members.map { (name: $0.name, value: $0.value) }
    if let cursor = extras.cursor { members.append(("cursor", JSON(stringLiteral: cursor))) }
    if !extras.left.isEmpty {
      members.append(("left", JSON(array: extras.left.map { JSON(stringLiteral: $0) })))
    }
    if !extras.notes.isEmpty {
      members.append(("notes", JSON(array: extras.notes.map { JSON(stringLiteral: $0) })))
    }
    return JSON(object: members)
  }
}

extension WireText {
  /// The bytes of a value as text, and as a part of a message if that is more.
  static func size(of json: JSON) -> Int {
    var writer = JSONWriter()
    append(json, to: &writer, level: 3)
    return max(printable(json).utf8.count, writer.bytes.count)
  }
}
