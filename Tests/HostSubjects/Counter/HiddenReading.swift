import FluxJSON
import Foundation

/// Something outside the actions that a reducer can read, and its value.
enum HiddenReading: String {
  /// The elements of a set, in its order.
  case set
  /// The elements of a set, sorted.
  case sortedSet
  /// The elements of an array, shuffled.
  case shuffled
  /// A number with a fraction, which is always the same.
  case fraction
  /// A random number.
  case random
  case uuid
  /// An object with a random key.
  case key
  /// The seconds since 1970, without their fraction.
  case clock
  /// The description of the current time.
  case described
  /// The local day at 2026-11-20T12:00:00Z.
  case day
  case environment
  case home
  case temporaryFolder
  case workingFolder
  /// A text with another form than the one that is recorded.
  case decomposed
  /// A variable outside the store, which begins alike in each process.
  case global

  var value: JSON {
    let environment = ProcessInfo.processInfo.environment
    switch self {
    case .set: return Self.array(Set(Self.names))
    case .sortedSet: return Self.array(Set(Self.names).sorted())
    case .shuffled: return Self.array(Self.names.shuffled())
    case .fraction: return 0.1
    case .random: return .init(integerLiteral: .random(in: 1000..<1_000_000))
    case .uuid: return .init(stringLiteral: UUID().uuidString)
    case .key: return ["\(Int.random(in: 1000..<1_000_000))": 1]
    case .described: return .init(stringLiteral: "\(Date())")
    case .clock: return .init(integerLiteral: Int64(Date().timeIntervalSince1970))
    case .day:
      let date = Date(timeIntervalSince1970: 1_795_176_000)
      let parts = Calendar.current.dateComponents([.year, .month, .day], from: date)
      return Self.array([parts.year, parts.month, parts.day].map { "\($0 ?? 0)" })
    case .environment: return .init(stringLiteral: environment["LANG"] ?? "none")
    case .home: return .init(stringLiteral: environment["HOME"] ?? "none")
    case .temporaryFolder: return .init(stringLiteral: NSTemporaryDirectory())
    case .workingFolder:
      return .init(stringLiteral: FileManager.default.currentDirectoryPath)
    case .decomposed: return .init(stringLiteral: "cafe\u{301}")
    case .global: return 7
    }
  }

  private static let names = (10..<22).map { "\($0)" }

  private static func array(_ texts: some Sequence<String>) -> JSON {
    JSON { array in array.strings(Array(texts)) }
  }
}
