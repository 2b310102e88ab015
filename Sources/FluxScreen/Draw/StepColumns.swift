import FluxLog

/// The columns of the list before the types of actions: marks, number and time.
struct StepColumns {
  /// The columns that types and payloads have at least; the time leaves first.
  private static let leastText = 16
  /// The columns of a type that widen the list.
  private static let mostType = 30

  let number: Int
  /// The width of a time; nil if there is no room for it.
  private(set) var time: Int?
  /// `true` if all steps are in the first second, so their times differ in microseconds.
  private let isShort: Bool

  /// Divides a row of a list whose last step has a number and a time.
  init(_ last: UInt64, _ lastTime: LogTime?, width: Int) {
    number = String(last).count
    isShort = lastTime.map { $0.microseconds < 1_000_000 } ?? false
    guard let lastTime else { return }
    let time = text(lastTime).count
    if width - number - time - 4 >= Self.leastText { self.time = time }
  }

  /// The columns that show the types of a log as a whole, without payloads.
  static func width(_ last: UInt64, _ lastTime: LogTime?, longestType: Int) -> Int {
    let columns = StepColumns(last, lastTime, width: .max)
    // Two marks, a blank after each column, the indentation of what a step caused, and the beginning of a payload.
    return columns.number + (columns.time.map { $0 + 1 } ?? 0) + 9 + min(longestType, mostType)
  }

  /// A time with as many decimals as tell the steps apart.
  func text(_ time: LogTime) -> String {
    isShort ? time.description : String(time.description.dropLast(3))
  }

  /// A text at the right of a column, and the blank after it.
  func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text + " "
  }
}
