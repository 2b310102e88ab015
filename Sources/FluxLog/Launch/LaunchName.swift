import FluxJSON
import FluxSystem
import Foundation

/// The name that all files of one launch begin with, such as `todo-20261120T120000Z-1a2b3c4d`.
///
/// The time is when the recording began, in UTC. The eight random digits keep processes apart that
/// begin in the same second.
package struct LaunchName: Hashable, Sendable {
  /// The name of the app's logs, such as `todo`.
  let app: String
  /// When the recording began, in whole seconds.
  package let start: LogInstant
  package let text: String

  /// Creates the name of a launch that begins now.
  init(app: String, start: LogInstant, random: UInt32 = .random(in: .min ... .max)) {
    let seconds = start.microseconds - start.microseconds % 1_000_000
    self.app = app
    self.start = LogInstant(microseconds: seconds)
    let time = self.start.description.prefix(19).filter { $0 != "-" && $0 != ":" }
    text = "\(app)-\(time)Z-\(random.hexDigits)"
  }

  /// Reads the name at the beginning of a file's name; nil if the file belongs to no launch of the app.
  init?(app: String, ofFile file: some StringProtocol) {
    let file = file.hasPrefix(".") ? String(file.dropFirst()) : String(file)
    // The time, the digits, and the hyphen before each.
    let length = app.utf8.count + 26
    let bytes = Array(file.utf8)
    guard bytes.starts(with: "\(app)-".utf8), bytes.count > length,
      bytes[length] == UInt8(ascii: ".") || bytes[length] == UInt8(ascii: "~")
    else { return nil }
    let time = bytes[(app.utf8.count + 1)..<(length - 9)]
    let digits = bytes[(length - 8)..<length]
    guard bytes[length - 9] == UInt8(ascii: "-"), digits.allSatisfy(\.isTokenDigit),
      let start = Self.instant(time)
    else { return nil }
    self.app = app
    self.start = start
    text = String(decoding: bytes[..<length], as: UTF8.self)
  }

  /// Returns the instant of a time such as `20261120T120000Z`.
  private static func instant(_ time: ArraySlice<UInt8>) -> LogInstant? {
    let text = Array(String(decoding: time, as: UTF8.self))
    guard text.count == 16, text[8] == "T", text[15] == "Z" else { return nil }
    let date = "\(String(text[..<4]))-\(String(text[4..<6]))-\(String(text[6..<8]))"
    let time = "\(String(text[9..<11])):\(String(text[11..<13])):\(String(text[13..<15]))"
    return LogInstant("\(date)T\(time)Z")
  }

  /// Returns the reason why an app cannot have this name; nil if it can.
  static func problem(with app: String) -> String? {
    if app.isEmpty { return "the name of its logs is empty; choose one such as todo" }
    // The hidden files beside a log begin with a dot.
    guard app.hasPrefix(".") || app.utf8.contains(where: { $0 == 0x2F || $0 < 0x20 }) else {
      return nil
    }
    return
      "the name of its logs must not begin with a dot, or contain a slash or a control character"
  }
}
