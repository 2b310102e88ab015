import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

/// Damages a log in every way; each state must be the recorded one, unknown, or a typed error.
@Suite struct TimelineFaultTests {
  private let folder: TemporaryFolder
  private let lines = SampleLog.lines.map(SampleLog.summed)
  /// The recorded models by step number.
  private let truth: [UInt64: StoreDictionary<StoreState>]

  init() throws {
    folder = try TemporaryFolder()
    let path = try folder.write(SampleLog.text.utf8, to: "sound.jsonl")
    let timeline = Timeline(try LogFile.opened(path))
    var truth: [UInt64: StoreDictionary<StoreState>] = [:]
    for position in timeline.positions {
      let number = try #require(timeline.number(at: position))
      truth[number] = try timeline.model(at: position).states
    }
    self.truth = truth
  }

  /// Checks every state, moving backwards, so that no state is cached.
  private func check(_ bytes: some Sequence<UInt8>, _ comment: Comment) throws {
    let path = try folder.replace("damaged.jsonl", with: bytes)
    do throws(LogError) {
      let timeline = Timeline(try LogFile.open(path))
      try timeline.log.waitForIndex()
      for position in timeline.positions.reversed() {
        check(timeline, position, comment)
      }
    } catch {
      #expect(error.line == 1, comment)
    }
  }

  private func check(_ timeline: Timeline, _ position: Int, _ comment: Comment) {
    let expected = timeline.number(at: position).flatMap { truth[$0] } ?? [:]
    for store in ["todos", "search"] {
      do throws(LogError) {
        let state = try timeline.storeState(store, at: position)
        #expect(state == .unknown || state == expected[store], comment)
      } catch {
        #expect(error.line != nil, comment)
      }
    }
  }

  @Test("Every prefix of a log")
  func prefixes() throws {
    let bytes = Array(SampleLog.text.utf8)
    for end in bytes.indices { try check(bytes[..<end], "cut at \(end)") }
  }

  @Test("Every byte changed")
  func flips() throws {
    let bytes = Array(SampleLog.text.utf8)
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << (place % 8)
      try check(damaged, "byte \(place)")
    }
  }

  @Test("Every line dropped, duplicated, or swapped with the next")
  func linesMoved() throws {
    for place in lines.indices {
      var dropped = lines
      dropped.remove(at: place)
      try check(dropped.joined().utf8, "line \(place + 1) dropped")
      var doubled = lines
      doubled.insert(lines[place], at: place)
      try check(doubled.joined().utf8, "line \(place + 1) doubled")
      guard place + 1 < lines.count else { continue }
      var swapped = lines
      swapped.swapAt(place, place + 1)
      try check(swapped.joined().utf8, "lines \(place + 1) and \(place + 2) swapped")
    }
  }

  @Test("A state does not depend on the steps that are read with it")
  func alone() throws {
    // A line with a correct sum and invalid JSON: its patch can be read, but not the whole line.
    // The next line has no sum, so all of it is parsed.
    let patch = { (value: Int) in
      #""patches":{"a":[{"op":"replace","path":"","value":\#(value)}]}}"#
    }
    let text =
      SampleLog.summed(#"{"flux":"1.0","stores":{"a":{"initial":0}}}"#)
      + SampleLog.summed(
        #"{"n":1,"t":0.100000,"action":{"type":"x"},"at":"\#u{1}",\#(patch(1))"#)
      + #"{"n":2,"t":0.200000,"action":{"type":"x"},\#(patch(2))"# + "\n"
    let path = try folder.write(text.utf8, to: "forged.jsonl")
    let walked = Timeline(try LogFile.opened(path))
    #expect(try walked.state(of: "a", at: 0) == 1)
    #expect(try walked.state(of: "a", at: 1) == 2)
    #expect(try Timeline(LogFile.opened(path)).state(of: "a", at: 1) == 2)
  }

  @Test("A file that changes after it was opened")
  func changedLater() throws {
    let path = try folder.write(SampleLog.text.utf8, to: "damaged.jsonl")
    let timeline = Timeline(try LogFile.opened(path))
    var bytes = Array(SampleLog.text.utf8)
    for place in stride(from: 300, to: bytes.count, by: 50) { bytes[place] ^= 4 }
    _ = try folder.write(bytes, to: "damaged.jsonl")
    for position in timeline.positions.reversed() { check(timeline, position, "changed later") }
  }
}
