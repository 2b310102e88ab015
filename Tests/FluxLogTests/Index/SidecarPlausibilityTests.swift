import TestFixtures
import Testing

@testable import FluxLog

/// Indexes that no log can have, with correct checksums.
@Suite struct SidecarPlausibilityTests {
  /// A change to a valid index.
  struct Forgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (inout Parts) -> Void

    init(_ name: String, _ make: @escaping @Sendable (inout Parts) -> Void) {
      (testDescription, self.make) = (name, make)
    }
  }

  struct Parts {
    var checker: SequenceChecker
    var nextLine: Int
    var entries: [StoredBlock.Entry]
  }

  private static let forgeries = [
    Forgery("a number that cannot be counted on from") { $0.checker.runs[1].number = .max - 1 },
    Forgery("numbers that do not ascend") { $0.checker.runs[1].number = 0 },
    Forgery("numbers twice") { $0.checker.runs[1].number = $0.checker.runs[0].number + 1 },
    Forgery("numbers of steps that there are not") { $0.checker.runs[1].position = 100 },
    Forgery("no numbers") { $0.checker.runs = [] },
    Forgery("more steps than the blocks have") { $0.checker.position += 1 },
    Forgery("an end of too many steps") { $0.checker.end?.steps = .max },
    Forgery("a gap that ends before it begins") {
      let gap = LogGap(from: 5, through: 3, why: .paused)
      $0.checker.gaps = [RecordedGap(gap: gap, position: 1, line: 3)]
    },
    Forgery("a gap that no step can follow") {
      let gap = LogGap(from: 5, through: .max, why: .paused)
      $0.checker.gaps = [RecordedGap(gap: gap, position: 1, line: 3)]
    },
    Forgery("a break beyond the end") {
      $0.checker.breaks = [LogBreak(position: 100, kind: .gap)]
    },
    Forgery("breaks that do not ascend") {
      $0.checker.breaks = [2, 1].map { LogBreak(position: $0, kind: .gap) }
    },
    Forgery("a mark before the start") {
      let mark = LogMark(text: "", time: LogTime(microseconds: 0))
      $0.checker.marks = [RecordedMark(mark: mark, position: -1, line: 2)]
    },
    Forgery("a block beyond the file") { $0.entries[0].end = 1 << 40 },
    Forgery("more lines than bytes") {
      $0.entries[0].count = 1 << 30
      $0.checker.position = 1 << 30
    },
    Forgery("a first line before the header") { $0.entries[0].firstLine = 0 },
    Forgery("a first line beyond the last") { $0.entries[0].firstLine = .max },
    Forgery("a block twice") {
      $0.entries.append($0.entries[0])
      $0.checker.position *= 2
    },
    Forgery("no lines") { $0.nextLine = 0 },
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func isPlausible(_ change: (inout Parts) -> Void) throws -> Bool {
    let log = try LogFile.opened(try folder.write(SampleLog.text.utf8, to: "a.jsonl"))
    let index = log.indexing.index
    let entries = try index.blocks.map { try StoredBlock.Entry.storing($0.block(), at: 0).entry }
    var parts = Parts(checker: index.checker, nextLine: index.nextLine, entries: entries)
    change(&parts)
    return Sidecar(
      identity: try Sidecar.Identity(log: log.file, header: log.headerText), types: [], shapes: [],
      checker: parts.checker, nextLine: parts.nextLine, entries: parts.entries
    ).isPlausible
  }

  @Test("The index of a log is plausible")
  func right() throws {
    #expect(try isPlausible { _ in })
  }

  @Test("An index that no log can have is not plausible", arguments: forgeries)
  func wrong(_ forgery: Forgery) throws {
    #expect(try !isPlausible(forgery.make))
  }
}
