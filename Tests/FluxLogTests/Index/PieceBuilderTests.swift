import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct PieceBuilderTests {
  private let names = LogNames()

  /// Returns the piece of some lines that start at offset 100 of a file.
  private func piece(
    _ lines: [String], isTorn: Bool = false, _ builder: inout PieceBuilder
  ) -> ScannedPiece {
    builder.begin(at: 100)
    var start = 100
    for (place, line) in lines.enumerated() {
      let bytes = Array(line.utf8)
      let isLast = place == lines.count - 1
      unsafe bytes.withUnsafeBytes { bytes in
        let view = unsafe JSONBytes(bytes)
        builder.take(view, 0..<bytes.count, start: start, isTorn: isTorn && isLast)
      }
      start += bytes.count + 1
    }
    return builder.finish(end: start)
  }

  private func piece(_ lines: [String], isTorn: Bool = false) -> ScannedPiece {
    var builder = PieceBuilder(names: names)
    return piece(lines, isTorn: isTorn, &builder)
  }

  private func describe(_ piece: ScannedPiece) -> [String] {
    let block = piece.block
    let steps = (0..<block.count).map { step in
      let shape = names.shape(block.shapes[step])
      return "line \(block.line(ofStep: step)) at \(block.bytes(ofStep: step).lowerBound): "
        + names.type(block.types[step]) + shape.writes.map { " \($0.kind) \($0.store)" }.joined()
    }
    let events = piece.events.map { event in
      let content =
        switch event.content {
        case .steps(let run):
          "\(run.count) steps from \(run.number), \(run.firstTime) to \(run.lastTime) us"
        case .mark(let mark): "mark \(mark.text)"
        case .gap(let gap): "gap \(gap.from) to \(gap.through)"
        case .end(let end): "end of \(end.steps) steps"
        case .header: "header"
        case .unknown: "unknown"
        case .lost(let fault, let kind): "lost \(kind): \(fault.problem.kind)"
        case .remark(let fault, let step): "remark on \(step ?? 0): \(fault.problem.kind)"
        }
      return "\(event.line): \(content)"
    }
    return steps + events + ["\(piece.lineCount) lines, up to \(block.end)"]
  }

  /// The lines of the small log, without their newlines.
  private static let lines = IndexedLines.lines.map { String($0.dropLast()) }

  private static let description = [
    "line 0 at 100: a whole s", "line 1 at 177: b patch s", "line 4 at 357: a whole s",
    "line 5 at 434: c removal s",
    "0: 2 steps from 1, 100000 to 200000 us", "2: mark m", "3: gap 3 to 4",
    "4: 2 steps from 5, 500000 to 600000 us", "6: end of 4 steps", "7 lines, up to 557",
  ]

  @Test("Steps are in the block, and every other line is an event between runs of steps")
  func lines() {
    #expect(describe(piece(Self.lines)) == Self.description)
  }

  @Test("Lines without a sum and lines with a carriage return have the same entries")
  func otherLines() {
    let bare = Self.lines.map { $0.replacing(#/,"sum":".{8}"/#, with: "") }
    let offsets = #/ at \d+/#
    let expected = Self.description.dropLast().map { $0.replacing(offsets, with: "") }
    for lines in [bare, bare.map { $0 + "\r" }, Self.lines.map { $0 + "\r" }] {
      let found = describe(piece(lines)).dropLast().map { $0.replacing(offsets, with: "") }
      #expect(found == expected)
    }
  }

  @Test("A builder keeps nothing of a piece but the names")
  func reuse() {
    var builder = PieceBuilder(names: names)
    _ = piece(Array(Self.lines.dropFirst(3)) + ["{"], &builder)
    #expect(describe(piece(Self.lines, &builder)) == Self.description)
    #expect(names.types.sorted() == ["a", "b", "c"])
  }

  @Test(
    "A broken line in each place is one event, and leaves the other lines as they are",
    arguments: [
      (0, ["lost step: json", "1 steps from 2, 200000 to 200000 us"]),
      (1, ["1 steps from 1, 100000 to 100000 us", "lost step: json"]),
      (2, ["lost other: json"]), (3, ["lost gap: json"]),
      (4, ["lost step: json", "1 steps from 6, 600000 to 600000 us"]),
      (5, ["1 steps from 5, 500000 to 500000 us", "lost step: json"]), (6, ["lost other: json"]),
    ])
  func broken(place: Int, events: [String]) {
    var lines = Self.lines
    lines[place] = lines[place].dropLast() + "]"
    let found = describe(piece(lines))
    // Runs before the place, the line, and the rest.
    let kept = [
      (0...1, ["2 steps from 1, 100000 to 200000 us"]), (2...2, ["mark m"]),
      (3...3, ["gap 3 to 4"]), (4...5, ["2 steps from 5, 500000 to 600000 us"]),
      (6...6, ["end of 4 steps"]),
    ].flatMap { range, expected in range.contains(place) ? events : expected }
    let foundEvents = found.filter { !$0.hasPrefix("line") }.dropLast().map {
      String($0.drop { $0 != " " }.dropFirst())
    }
    #expect(foundEvents == kept)
    let steps = Self.description.prefix(4).filter { !$0.hasPrefix("line \(place) ") }
    #expect(found.prefix(steps.count) == steps[...])
    #expect(found.last == "7 lines, up to 557")
  }

  @Test("A last line without a newline is torn if it cannot be read, and a step if it can")
  func torn() {
    #expect(
      describe(piece([Self.lines[0], String(Self.lines[1].dropLast())], isTorn: true)) == [
        "line 0 at 100: a whole s", "0: 1 steps from 1, 100000 to 100000 us", "1: lost step: torn",
        "2 lines, up to 255",
      ])
    #expect(
      describe(piece([Self.lines[0], Self.lines[1]], isTorn: true)) == [
        "line 0 at 100: a whole s", "line 1 at 177: b patch s",
        "0: 2 steps from 1, 100000 to 200000 us", "2 lines, up to 256",
      ])
  }

  @Test("Numbers that do not follow, earlier times, blank lines and remarks end a run of steps")
  func runs() {
    let found = describe(
      piece([
        #"{"n":1,"t":2,"action":{"type":"a"}}"#, #"{"n":2,"t":1,"action":{"type":"a"}}"#,
        #"{"n":4,"t":1,"action":{"type":"a"}}"#, "  ", #"{"n":5,"t":1,"action":{"type":"a"}}"#,
        #"{"n":6,"t":1,"action":{"type":"a"},"cause":6}"#,
        #"{"n":7,"t":1,"action":{"type":"a"},"x":{},"x":{}}"#, #"{"flux":"1.0"}"#, #"{"future":1}"#,
      ]))
    #expect(
      found.filter { !$0.hasPrefix("line") }.dropLast() == [
        "0: 1 steps from 1, 2000000 to 2000000 us", "1: 1 steps from 2, 1000000 to 1000000 us",
        "2: 1 steps from 4, 1000000 to 1000000 us", "4: 2 steps from 5, 1000000 to 1000000 us",
        "5: remark on 6: cause", "6: 1 steps from 7, 1000000 to 1000000 us",
        "6: remark on 7: duplicate", "7: header", "8: unknown",
      ])
  }

  @Test("A step that writes too many stores is a lost line, with a sum and without one")
  func tooManyStores() throws {
    let names = LogNames(limit: MemoryLimit(byteCount: 1_900))
    var builder = PieceBuilder(names: names)
    let line = #"{"n":1,"t":0.000001,"action":{"type":"a"},"states":{"a":1,"b":2,"c":3}}"#
    let piece = piece([String(SampleLog.summed(line).dropLast()), line], &builder)
    #expect(piece.block.count == 0)
    #expect(
      describe(piece) == [
        "0: lost step: stores", "1: lost step: stores", "2 lines, up to \(piece.block.end)",
      ])
    #expect(names.stores(ofShapes: nil).isEmpty)
    #expect(!names.hasTooManyStores)
  }
}
