/// A line of input, taken apart word by word.
public struct Words: Sendable {
  private var rest: Substring

  /// Takes a line.
  ///
  /// - Parameter line: The line.
  public init(_ line: String) {
    rest = Substring(line)
  }

  /// The next word; empty where there is none.
  public mutating func next() -> String {
    rest = rest.drop { $0.isWhitespace }
    let word = rest.prefix { !$0.isWhitespace }
    rest = rest.dropFirst(word.count)
    return String(word)
  }

  /// The next word as a number; nil where it is none.
  public mutating func number() -> Int? { Int(next()) }

  /// All that was not taken yet, without the blank in front of it.
  public mutating func remainder() -> String {
    defer { rest = "" }
    return String(rest.dropFirst())
  }
}
