public import FluxLog

/// A position in a log, as people write it.
public enum Position: Sendable, Equatable {
  /// `42`: the number of a step.
  case step(UInt64)
  /// A number that no step can have, as it is written.
  case numberTooLarge(String)
  /// `+5`, `-5`: a number of steps from here; the largest number for any that is larger.
  case relative(SearchDirection, UInt64)
  /// `50%` of the recorded steps, in millionths of a percent.
  case percent(UInt64)
  /// `start`
  case start
  /// `end`
  case end
  /// `end-5`: a number of steps before the end.
  case beforeEnd(UInt64)
  /// The current position of the session.
  case here
  /// `@12.5`: seconds since the recording began.
  case time(LogTime)
  /// `@-2`, `@+2`: seconds from here.
  case seconds(SearchDirection, LogTime)
  /// `@12:03:04`: the time of the day, in the time zone of the recording.
  case clock(LogTime)
  /// `todo/add#3`: the third action that matches; the largest number for any that is larger.
  case occurrence(Glob, UInt64)
  /// `$name`
  case bookmark(String)

  /// Reads a position; nil if the text is none.
  public init?(_ text: String) {
    switch text {
    case "start": self = .start
    case "end": self = .end
    default:
      guard let read = Self.special(text) ?? Self.occurrence(text) else { return nil }
      self = read
    }
  }

  package static let forms = """
    a position is 42, +5, -5, 50%, start, end, end-5, @12.5 (seconds), @-2 (seconds from here), @12:03:04 (clock), \
    todo/add#3 or $bookmark
    """

  private static func special(_ text: String) -> Position? {
    guard let first = text.first else { return nil }
    let rest = String(text.dropFirst())
    switch first {
    case "+": return digits(rest).map { .relative(.forwards, $0) }
    case "-": return digits(rest).map { .relative(.backwards, $0) }
    case "@": return rest.contains(":") ? clock(rest) : time(rest)
    case "$": return Bookmark.isName(rest) ? .bookmark(rest) : nil
    default: break
    }
    if text.hasPrefix("end-") { return digits(String(text.dropFirst(4))).map { .beforeEnd($0) } }
    guard text.last == "%" else { return number(text) }
    // A percentage has the decimals that seconds have.
    return seconds(String(text.dropLast())).map { .percent($0.microseconds) }
  }

  private static func occurrence(_ text: String) -> Position? {
    guard let mark = text.lastIndex(of: "#"), mark != text.startIndex,
      let count = digits(String(text[text.index(after: mark)...])), count > 0
    else { return nil }
    return .occurrence(Glob(String(text[..<mark])), count)
  }

  fileprivate static func number(_ text: String) -> Position? {
    guard let number = digits(text) else { return nil }
    return UInt64(text) == nil ? .numberTooLarge(text) : .step(number)
  }

  /// A whole number; the largest for one that is larger.
  package static func digits(_ text: String) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt64(text) ?? .max
  }

  /// `12.5`, `-2` and `+2`.
  private static func time(_ text: String) -> Position? {
    switch text.first {
    case "-": seconds(String(text.dropFirst())).map { .seconds(.backwards, $0) }
    case "+": seconds(String(text.dropFirst())).map { .seconds(.forwards, $0) }
    default: seconds(text).map { .time($0) }
    }
  }

  /// Seconds with decimals; the largest time for one that is larger.
  private static func seconds(_ text: String) -> LogTime? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      text.utf8.count(where: { $0 == UInt8(ascii: ".") }) <= 1
    else { return nil }
    if let time = LogTime(seconds: text) { return time }
    let fraction = text.drop { $0 != "." }
    guard fraction.count < text.count, LogTime(seconds: "0\(fraction)") != nil else { return nil }
    return LogTime(microseconds: .max)
  }

  /// `12:03`, `12:03:04` and `12:03:04.5`.
  private static func clock(_ text: String) -> Position? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 3, let hour = digits(parts[0]), hour < 24,
      let minute = digits(parts[1]), minute < 60,
      let second = parts.count == 3 ? seconds(parts[2]) : LogTime(microseconds: 0),
      second.microseconds < 60_000_000
    else { return nil }
    return .clock(
      LogTime(microseconds: (hour * 3600 + minute * 60) * 1_000_000 + second.microseconds))
  }
}

/// A range of steps, as people write it: `A..B` or `10-20`, inclusive; either end of `A..B` may be omitted.
public struct PositionRange: Sendable, Equatable {
  /// The first step; nil for that of the log.
  public let from: Position?
  /// The last step; nil for that of the log.
  public let through: Position?

  /// Creates a range; nil stands for the first or the last step of the log.
  public init(from: Position? = nil, through: Position? = nil) {
    self.from = from
    self.through = through
  }

  /// Reads a range; nil if the text is none.
  ///
  /// A position alone is the range of that one step.
  public init?(_ text: String) {
    guard let dots = text.firstRange(of: "..") else {
      if let only = Position(text) {
        (from, through) = (only, only)
        return
      }
      let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard ends.count == 2, let first = Position.number(ends[0]),
        let last = Position.number(ends[1])
      else { return nil }
      (from, through) = (first, last)
      return
    }
    let (left, right) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
    from = Position(left)
    through = Position(right)
    guard (from != nil || left.isEmpty) && (through != nil || right.isEmpty) else { return nil }
  }

  package static let forms =
    "a range is A..B, inclusive, and either end may be omitted; \(Position.forms)"
}

/// A position of a log, as `Timeline` counts, and how it was found.
public struct ResolvedPosition: Sendable, Equatable {
  /// The position.
  public let position: Int
  /// The end that a relative position was cut off at; nil if it was not.
  public var clamped: Move.Stop?
  /// A remark on how it was found.
  public var note: String?

  var notes: [Note] { note.map { [Note($0)] } ?? [] }
}
