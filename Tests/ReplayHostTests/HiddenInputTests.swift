import Counter
import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

@testable import FluxHost

/// Reducers that read something that the recording does not contain, and honest ones that look alike.
@Suite(.waiting) struct HiddenInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let order =
    "two replays have the same elements in a different order: a Set or Dictionary has a new order in each run; sort "
    + "its elements before storing them in an array"
  private static let identifiers =
    "a reducer creates UUIDs; use step.uuid(), which returns the same one on replay"
  private static let clock =
    "a reducer reads the clock; use step.now, which is the recorded time on replay"
  private static let anotherOrder =
    "two replays have the same elements in another order, which the recording does not determine; sort them, or take "
    + "random numbers from step.random"
  private static let environment =
    "a reducer depends on the environment of its process: time zone, locale, working folder, home folder or folder for "
    + "temporary files; pass what it needs in the action"
  private static let other =
    "a reducer depends on something that the recording does not contain: the clock, random numbers, the order of a "
    + "Set, the environment, or a variable outside the store"
  private static let rounding =
    "the numbers differ by less than a billionth, as rounding on another machine or in another order does; set a "
    + "tolerance to allow it"

  /// The input that a reducer reads, the value in the log, and the reason that two processes prove.
  static let readings: [(String, String, String?)] = [
    ("set", numbers((10..<22).reversed()), order),
    ("sortedSet", numbers((10..<22).reversed()), nil),
    ("shuffled", numbers((10..<22).reversed()), anotherOrder),
    ("random", "1", other),
    ("uuid", #""5C0E6C1A-9E7B-4C69-9F30-6B1C3F2F2B11""#, identifiers),
    ("key", #"{"a":1}"#, other),
    ("clock", "1700000000", clock),
    ("described", #""2023-11-14 22:13:20 +0000""#, clock),
    ("day", #"["2020","1","1"]"#, environment),
    ("environment", #""C""#, environment),
    ("home", #""/home/them""#, environment),
    ("temporaryFolder", #""/elsewhere""#, environment),
    ("workingFolder", #""/elsewhere""#, environment),
    ("decomposed", #""caf\u00e9""#, nil),
    ("global", "8", nil),
  ]

  private static func numbers(_ numbers: some Sequence<Int>) -> String {
    "[" + numbers.map { #""\#($0)""# }.joined(separator: ",") + "]"
  }

  @Test("a reason is given if two processes prove it", arguments: readings)
  func reasons(_ input: String, _ recorded: String, _ reason: String?) throws {
    let timeline = try log(input, recorded)
    let report = try Subjects.counter().verify(timeline)
    #expect(report.divergences.map(\.reason) == [reason])
    let near = try CounterApp().verifyHere(timeline)
    #expect(near.divergences.map(\.reason) == [nil], "one process proves nothing")
  }

  @Test("rounding is a reason if the two processes agree, and only for numbers with a fraction")
  func rounding() throws {
    let rounded = try Subjects.counter().verify(try log("fraction", "0.10000000000000002"))
    #expect(rounded.divergences.map(\.reason) == [Self.rounding])
    let other = try Subjects.counter().verify(try log("fraction", "0.11"))
    #expect(other.divergences.map(\.reason) == [nil])
  }

  @Test("replayed twice, the proof leads the report", arguments: readings)
  func twice(_ input: String, _ recorded: String, _ reason: String?) throws {
    var options = Verification.Options()
    options.runsTwice = true
    let report = try Subjects.counter().verify(try log(input, recorded), options: options)
    let proved = report.divergences.filter { $0.comparison == .replays }
    #expect(proved.map(\.reason) == (reason.map { [$0] } ?? []))
    #expect(report.divergences.first?.comparison == (reason == nil ? .record : .replays))
    #expect(report.divergences.count == (reason == nil ? 1 : 2))
  }

  private func log(_ input: String, _ recorded: String) throws -> Timeline {
    var log = CounterLog()
    log.add(1)
    log.read(input, recorded: recorded)
    return try log.timeline(in: folder)
  }

  @Test(
    "the other time zone has another local day",
    arguments: [
      ("2026-11-20T00:00:00Z", 0), ("2026-11-20T23:59:59Z", 0), ("2026-11-20T11:00:00Z", 14),
      ("2026-11-20T11:00:00Z", -12), ("2026-11-20T09:59:59Z", 0), ("2026-11-20T10:00:00Z", 0),
    ])
  func timeZone(_ instant: String, _ hours: Int) throws {
    let instant = try #require(LogInstant(instant))
    let here = try #require(TimeZone(secondsFromGMT: hours * 3600))
    let there = try #require(
      TimeZone(identifier: OtherEnvironment.timeZone(at: instant, besides: here)))
    let date = Date(timeIntervalSince1970: Double(instant.microseconds) / 1e6)
    let days = [here, there].map { zone in
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      return calendar.component(.day, from: date)
    }
    #expect(days[0] != days[1])
  }

  @Test(
    "the other locale differs from the current one",
    arguments: [
      ([:], "", "tr_TR"), (["LANG": "tr_TR.UTF-8"], "", "de_DE"),
      (["LANG": "tr_TR.UTF-8", "LC_ALL": "C"], "", "tr_TR"),
      (["LANG": "en_US.UTF-8"], "tr_TR", "de_DE"), (["LANG": "en_US.UTF-8"], "en_US", "tr_TR"),
    ])
  func locale(_ environment: [String: String], _ preferred: String, _ expected: String) {
    #expect(OtherEnvironment.locale(besides: environment, preferred: preferred) == expected)
  }

  @Test("Foundation of Apple's systems finds the other home folder and locale, too")
  func preferences() throws {
    let instant = LogInstant(microseconds: 0)
    let apple = OtherEnvironment(at: instant, usesPreferences: true)
    #expect(
      apple.arguments == ["-AppleLocale", "tr_TR", "-AppleLanguages", "(tr)"])
    let home = try #require(apple.variables["HOME"] ?? nil)
    #expect(home.hasPrefix(apple.folder))
    #expect(apple.variables["CFFIXED_USER_HOME"] == home)
    #expect(OtherEnvironment(at: instant, usesPreferences: false).arguments == [])
  }
}
