import FluxJSON
import Foundation
import TestFixtures

@testable import FluxLog

/// A recorded writing session from the corpora: edits of one text.
struct EditingTrace {
  struct Edit {
    var at: Int
    var deleted: Int
    var inserted: [Unicode.Scalar]
  }

  /// The edits of each action.
  let actions: [[Edit]]
  /// The SHA-256 of the text after that many actions.
  let checkpoints: [Int: String]

  init(_ name: String) throws {
    let folder = Corpora.folder.appending(path: "editing-traces")
    let text = try Self.unpacked(folder.appending(path: "\(name).actions.jsonl.gz"))
    actions = try text.split(separator: 0x0A).map { line in
      let patches = try JSON.parse(Array(line))["action"]?["patches"]
      return (patches?.elements).map { $0.map(Edit.init) } ?? []
    }
    let points = try Corpora.json("editing-traces/\(name).checkpoints.json")["checkpoints"]
    var checkpoints: [Int: String] = [:]
    for point in points?.elements.map({ $0 }) ?? [] {
      checkpoints[Int(point["seq"]?.number?.int64 ?? -1)] = point["sha256"]?.string
    }
    self.checkpoints = checkpoints
  }

  private static func unpacked(_ file: URL) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", file.path()]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return [UInt8](data)
  }

  /// The representation of the text in the state.
  enum Shape: String, Sendable, CaseIterable {
    case lines, text

    func state(of text: [Unicode.Scalar]) -> JSON {
      switch self {
      case .text: return JSON(writing: { write("text", text, to: &$0) })
      case .lines:
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return JSON(writing: { writer in
          writer.beginObject()
          writer.name("lines")
          writer.beginArray()
          for line in lines { writer.string(Self.string(line)) }
          writer.endArray()
          writer.endObject()
        })
      }
    }

    func text(of state: JSON?) -> String? {
      switch self {
      case .text: state?["text"]?.string
      case .lines:
        (state?["lines"]?.elements).map { $0.compactMap(\.string).joined(separator: "\n") }
      }
    }

    private func write(_ name: String, _ text: [Unicode.Scalar], to writer: inout JSONWriter) {
      writer.beginObject()
      writer.name(name)
      writer.string(Self.string(text[...]))
      writer.endObject()
    }

    private static func string(_ text: ArraySlice<Unicode.Scalar>) -> String {
      var string = String.UnicodeScalarView()
      string.append(contentsOf: text)
      return String(string)
    }
  }

  /// Writes the first `count` actions as a log of one store.
  func write(to path: String, as shape: Shape, first count: Int) throws {
    var options = LogWriter.Options()
    options.durability = .buffered
    options.overflow = .block
    var text: [Unicode.Scalar] = []
    let header = LogHeader(
      log: "trace", created: LogInstant(microseconds: 0), seed: 1,
      stores: [.init(name: "editor", type: "Editor", initial: shape.state(of: text))])
    let writer = try LogWriter(path: path, header: header, options: options)
    for (place, edits) in actions.prefix(count).enumerated() {
      for edit in edits {
        text.replaceSubrange(edit.at..<edit.at + edit.deleted, with: edit.inserted)
      }
      let (number, state) = (UInt64(place) + 1, text)
      let time = LogTime(microseconds: number * 1000)
      let action = LogValue(encoding: {
        JSON(writing: { writer in
          writer.beginObject()
          writer.name("type")
          writer.string("edit")
          writer.name("payload")
          writer.beginArray()
          for edit in edits { edit.write(to: &writer) }
          writer.endArray()
          writer.endObject()
        })
      })
      let prepared = writer.begin(step: number, at: time, action: action)
      let change = StepRecord.Change(
        store: "editor", state: LogValue(encoding: { shape.state(of: state) }))
      writer.append(StepRecord(number: number, time: time, action: prepared, changes: [change]))
    }
    try writer.close()
  }
}

extension EditingTrace.Edit {
  fileprivate init(_ json: JSON) {
    at = Int(json[0]?.number?.int64 ?? 0)
    deleted = Int(json[1]?.number?.int64 ?? 0)
    inserted = Array((json[2]?.string ?? "").unicodeScalars)
  }

  fileprivate func write(to writer: inout JSONWriter) {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: inserted)
    writer.beginArray()
    writer.int(at)
    writer.int(deleted)
    writer.string(String(text))
    writer.endArray()
  }
}
