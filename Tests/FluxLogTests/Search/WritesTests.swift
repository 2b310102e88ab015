import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct WritesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func timeline(_ lines: [String]) throws -> Timeline {
    let text = lines.map(SampleLog.summed).joined()
    return Timeline(try LogFile.opened(try folder.write(text.utf8, to: "log.jsonl")))
  }

  private func path(_ text: String) throws -> Path { try Path(text, dialect: .inspector) }

  /// Returns the writes as text: `n type value`.
  private func told(_ writes: [PathWrite]) -> [String] {
    writes.map { write in
      "\(write.number) \(write.type ?? "-") \(write.value?.text ?? "removed")"
        + (write.afterGap ? " after a gap" : "")
    }
  }

  private static let lines = [
    #"{"flux":"1.0","stores":{"a":{"initial":{"x":[1,2],"y":0}},"c":{"feature":true}}}"#,
    #"{"n":1,"t":1,"action":{"type":"insert"},"patches":{"a":[{"op":"add","path":"/x/0","value":0}]}}"#,
    #"{"n":2,"t":1,"action":{"type":"else"},"patches":{"a":[{"op":"replace","path":"/y","value":5}]}}"#,
    #"{"n":3,"t":1,"action":{"type":"same"},"states":{"a":{"x":[0,1,2],"y":6}}}"#,
    #"{"n":4,"t":1,"action":{"type":"open"},"states":{"c":null}}"#,
    #"{"n":5,"t":1,"action":{"type":"drop"},"patches":{"a":[{"op":"remove","path":"/x/0"}]},"removed":["c"]}"#,
    #"{"gap":{"from":6,"to":7,"why":"paused"}}"#,
    #"{"n":8,"t":1,"action":{"type":"no"},"rejected":{"reason":"no"}}"#,
    #"{"n":9,"t":1,"action":{"type":"back"},"states":{"a":{"x":[7],"y":6}}}"#,
  ]

  @Test(
    "Writes are changes of value or existence, by array index, compared with the last known value")
  func writes() throws {
    let timeline = try timeline(Self.lines)
    #expect(
      told(try timeline.writes(of: try path("a.x[0]")))
        == ["0 - 1", "1 insert 0", "5 drop 1", "9 back 7 after a gap"])
    #expect(
      told(try timeline.writes(of: try path("/a/x/1")))
        == ["0 - 2", "1 insert 1", "5 drop 2", "9 back removed after a gap"])
    #expect(
      told(try timeline.writes(of: try path("a.y"))) == ["0 - 0", "2 else 5", "3 same 6"])
    #expect(
      told(try timeline.writes(of: try path("c"))) == ["4 open null", "5 drop removed"])
    #expect(
      told(try timeline.writes(of: try path("a.x[-1]"), through: 3)) == ["0 - 2"])
    #expect(told(try timeline.writes(of: try path("none.x"))) == [])
  }

  @Test("A value that the app got by going back to another model has the return as its write")
  func restored() throws {
    func lines(_ gap: String, _ values: [Int]) -> [String] {
      [
        #"{"flux":"1.1","stores":{"s":{"initial":{"v":0}}}}"#,
        #"{"n":1,"t":1,"action":{"type":"a"},"states":{"s":{"v":5}}}"#,
        #"{"n":2,"t":1,"action":{"type":"a"},"states":{"s":{"v":7}}}"#,
        #"{"gap":{"from":3,"to":2,"why":"restored"\#(gap)}"#,
      ]
        + values.enumerated().map {
          #"{"n":\#($0 + 3),"t":1,"action":{"type":"b"},"states":{"s":{"v":\#($1)}}}"#
        }
    }
    func told(_ gap: String, _ values: [Int]) throws -> [String] {
      let timeline = try timeline(lines(gap, values))
      let writes = try timeline.writes(of: try path("s.v"))
      var backwards: [PathWrite] = []
      try timeline.forEachWrite(of: .path(try path("s.v")), .backwards) {
        backwards.append($0)
        return true
      }
      #expect(writes == backwards.reversed())
      return writes.map { write in
        let model =
          switch write.restored {
          case .step(let step)?: " restored \(step)"
          case .states?: " restored"
          case nil: ""
          }
        return self.told([write])[0] + model
      }
    }
    let start = ["0 - 0", "1 a 5", "2 a 7"]
    #expect(try told(#","step":1}"#, [5, 6]) == start + ["3 - 5 restored 1", "4 b 6"])
    #expect(try told(#","step":1}"#, [6]) == start + ["3 b 6"])
    // The step wrote again what the return had taken back.
    #expect(try told(#","step":1}"#, [7]) == start + ["3 b 7"])
    #expect(try told(#","step":2}"#, [7]) == start)
    #expect(try told(#","step":0}"#, [0]) == start + ["3 - 0 restored 0"])
    #expect(try told(#"},"states":{"s":{"v":5}}"#, [5]) == start + ["3 - 5 restored"])
    #expect(try told(#"},"states":{"s":{"v":5}}"#, [4]) == start + ["3 b 4"])
  }

  @Test("A search from a position at which the value is unknown compares with the last known value")
  func fromUnknown() throws {
    let timeline = try timeline([
      #"{"flux":"1.1","stores":{"s":{"initial":0},"t":{"initial":0}}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"states":{"s":5}}"#,
      #"{"gap":{"from":2,"to":2,"why":"damaged"}}"#,
      #"{"n":3,"t":1,"action":{"type":"b"},"states":{"t":1}}"#,
      #"{"n":4,"t":1,"action":{"type":"c"},"states":{"s":7}}"#,
    ])
    var writes: [PathWrite] = []
    let start = WriteCursor(known: 1, isHidden: false, rest: 2..<2)
    try timeline.forEachWrite(of: .path(try path("s")), from: start) { write in
      writes.append(write)
      return true
    }
    #expect(told(writes) == ["4 c 7 after a gap"])
  }

  @Test("The return is the write even if only rejected steps follow it")
  func restoredBeforeRejected() throws {
    let timeline = try timeline([
      #"{"flux":"1.1","stores":{"s":{"initial":0}}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"states":{"s":5}}"#,
      #"{"gap":{"from":2,"to":1,"why":"restored","step":0}}"#,
      #"{"n":2,"t":1,"action":{"type":"no"},"rejected":{"reason":"no"}}"#,
      #"{"n":3,"t":1,"action":{"type":"b"},"states":{"s":0}}"#,
      #"{"n":4,"t":1,"action":{"type":"b"},"states":{"s":1}}"#,
    ])
    #expect(told(try timeline.writes(of: try path("s"))) == ["0 - 0", "1 a 5", "2 - 0", "4 b 1"])
    #expect(
      try lastWrite(of: try path("s"), in: timeline, atOrBefore: 1)?.restored == .step(0))
  }

  @Test("The return is the write even if a gap came right before it")
  func restoredAfterGap() throws {
    let timeline = try timeline([
      #"{"flux":"1.1","stores":{"s":{"initial":0}}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"states":{"s":5}}"#,
      #"{"gap":{"from":2,"to":2,"why":"paused"}}"#,
      #"{"n":3,"t":1,"action":{"type":"no"},"rejected":{"reason":"no"}}"#,
      #"{"gap":{"from":4,"to":3,"why":"restored","step":0}}"#,
      #"{"n":4,"t":1,"action":{"type":"no"},"rejected":{"reason":"no"}}"#,
      #"{"n":5,"t":1,"action":{"type":"b"},"states":{"s":0}}"#,
    ])
    let writes = try timeline.writes(of: try path("s"))
    #expect(told(writes) == ["0 - 0", "1 a 5", "4 - 0"])
    #expect(writes.last?.restored == .step(0))
  }

  /// The first write of a search backwards.
  private func lastWrite(
    of path: Path, in timeline: Timeline, atOrBefore position: Int
  ) throws -> PathWrite? {
    var last: PathWrite?
    try timeline.forEachWrite(of: .path(path), through: position, .backwards) { write in
      last = write
      return false
    }
    return last
  }

  @Test("The last write up to a position is the newest one")
  func last() throws {
    let timeline = try timeline(Self.lines)
    for text in ["a.x[0]", "/a/x/1", "a.y", "c", "a.x[*]", "none"] {
      let path = try path(text)
      for position in timeline.positions {
        let all = try timeline.writes(of: path, through: position)
        #expect(
          try lastWrite(of: path, in: timeline, atOrBefore: position) == all.last,
          "\(text), \(position)")
      }
    }
  }

  @Test("Changes are relative to the last known model")
  func before() throws {
    let timeline = try timeline(Self.lines)
    #expect(timeline.baseline(of: 0) == Baseline(position: -1, afterGap: false))
    #expect(timeline.baseline(of: 4) == Baseline(position: 3, afterGap: false))
    #expect(timeline.baseline(of: 5) == Baseline(position: 4, afterGap: true))
    #expect(timeline.baseline(of: 6) == Baseline(position: 4, afterGap: true))
    #expect(
      try timeline.positions.map { try timeline.changedStores(at: $0) }
        == [[], ["a"], ["a"], ["a"], ["c"], ["a", "c"], [], ["a"]])
  }

  /// Returns the same by comparing the selection of a path after every step.
  private func bruteForce(
    _ path: Path, _ recording: TestRecording
  ) throws -> [(position: Int, value: [QueryNode])] {
    func value(_ model: [String: JSON]) throws -> [QueryNode] {
      let states = JSON(writing: { writer in
        writer.beginObject()
        for (name, state) in model.sorted(by: { $0.key < $1.key }) {
          writer.name(name)
          writer.raw(state)
        }
        writer.endObject()
      })
      return try path.nodes(in: ["state": states])
    }
    var last = try value(recording.initial)
    var writes = last.isEmpty ? [] : [(position: -1, value: last)]
    for (position, step) in recording.written.enumerated() {
      guard let model = step.model else { continue }
      let next = try value(model)
      let isOne = path.isSingular || path.isFiltered && next.count <= 1
      let isSame = isOne ? next.map(\.value) == last.map(\.value) : next == last
      if !isSame { writes.append((position, next)) }
      last = next
    }
    return writes
  }

  @Test(
    "Writes agree with a comparison of all states, in random logs, full and adaptive",
    arguments: [LogWriter.Options.States.full, .adaptive])
  func bruteForce(_ mode: LogWriter.Options.States) throws {
    let paths = try [
      "b.items[0].n", "b.items[2]", "b", "a", "c/~é", "$.state['c/~é']", "b.items[*].n",
      "$.state.*", "a[0]", "/b/items/1/id", "b.items[-1].n", "$.state.b.items[?@.n > 1].id",
    ]
    .compactMap { $0.contains("~") && !$0.hasPrefix("$") ? nil : try path($0) }
    for purpose in 0..<8 {
      let recording = try TestRecording.random(100 + purpose, steps: 80)
      let file = folder.path("\(purpose).jsonl")
      try recording.write(to: file, mode)
      let timeline = Timeline(try LogFile.opened(file))
      for path in paths {
        let expected = try bruteForce(path, recording)
        let found = try timeline.writes(of: path)
        let comment: Comment = "seed \(SeededGenerator.seed), log \(purpose), \(path.text)"
        #expect(found.map(\.position) == expected.map(\.position), comment)
        guard path.isSingular else { continue }
        #expect(found.map(\.value) == expected.map { $0.value.first?.value }, comment)
        for position in [-1, 10, 30, 79] where position < timeline.log.count {
          #expect(
            try lastWrite(of: path, in: timeline, atOrBefore: position)
              == found.last { $0.position <= position }, comment)
        }
      }
    }
  }
}

extension Timeline {
  /// The values that a path had, and the steps that wrote them, oldest first.
  func writes(of path: Path, through end: Int? = nil) throws -> [PathWrite] {
    var writes: [PathWrite] = []
    try forEachWrite(of: .path(path), through: end) { write in
      writes.append(write)
      return true
    }
    return writes
  }
}
